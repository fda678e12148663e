import { describe, expect, it } from 'vitest'
import { cutChangelog } from './changelog.ts'

describe('cutChangelog', () => {
  it('cutChangelog gives the unreleased changes the version of the release', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 2026.1.2\n\n- B.\n'
    expect(cutChangelog(changelog, '2026.2.3')).toStrictEqual({
      changelog: '# Changelog\n\n## 2026.2.3\n\n### Added\n\n- A.\n\n## 2026.1.2\n\n- B.\n',
      changes: '### Added\n\n- A.',
    })
  })

  it('cutChangelog adds a section without changes if nothing is unreleased', () => {
    const changelog = '# Changelog\n\n## 2026.1.2\n\n- B.\n'
    expect(cutChangelog(changelog, '2026.2.3')).toStrictEqual({
      changelog: '# Changelog\n\n## 2026.2.3\n\nNo changes.\n\n## 2026.1.2\n\n- B.\n',
      changes: 'No changes.',
    })
  })

  it.each([
    ['a version that is released already', '# A\n\n## 2026.2.3\n\n- B.\n', 'already'],
    ['an empty section', '# A\n\n## Unreleased\n\n## 2026.1.2\n', 'is empty'],
    ['a file without a title', '## Unreleased\n\n- A.\n', 'title'],
  ])('cutChangelog rejects %s', (_, changelog, reason) => {
    expect(() => cutChangelog(changelog, '2026.2.3')).toThrow(reason)
  })
})
