/** Draws a progress bar: on a terminal in one line, else a line for each tenth. */
export function progressBar(): (done: number, of: number) => void {
  const { isTTY } = process.stderr
  const unit = isTTY ? 1 : 10
  let drawn = -1
  return (done, of) => {
    const percent = Math.floor((done * 100) / of / unit) * unit
    if (percent === drawn) return
    drawn = percent
    const filled = '#'.repeat(percent / 2.5).padEnd(40, '.')
    const end = isTTY && percent < 100 ? '' : '\n'
    process.stderr.write(`${isTTY ? '\r' : ''}[${filled}] ${percent} %${end}`)
  }
}
