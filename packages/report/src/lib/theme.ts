import { html, type Markup } from './markup.ts'

/** The directory console's daisyUI theme. A console test compares both. */
export const THEME: Markup = html`
:root {
  color-scheme: light dark;
  --color-base-100: #ffffff;
  --color-base-200: #f5f6f8;
  --color-base-300: #dde1e7;
  --color-base-content: #1a1f29;
  --color-primary: #1d4ed8;
  --color-primary-content: #ffffff;
  --color-neutral: #4b5563;
  --color-neutral-content: #ffffff;
  --color-info: #075985;
  --color-success: #166534;
  --color-warning: #854d0e;
  --color-error: #b42318;
  --color-error-content: #ffffff;
  --color-muted: #545c69;
  --color-control: #8a93a1;
  --radius-selector: 0.75rem;
  --radius-field: 0.375rem;
  --radius-box: 0.5rem;
  --size-selector: 0.25rem;
  --size-field: 0.225rem;
  --border: 1px;
  --depth: 0;
  --noise: 0;
}

@media screen and (prefers-color-scheme: dark) {
  :root {
    --color-base-100: #10141b;
    --color-base-200: #181d26;
    --color-base-300: #2d3542;
    --color-base-content: #e4e8ee;
    --color-primary: #85adff;
    --color-primary-content: #0b1324;
    --color-neutral: #aab3c0;
    --color-neutral-content: #10141b;
    --color-info: #7cc8f5;
    --color-success: #62d28a;
    --color-warning: #f0b955;
    --color-error: #ff9188;
    --color-error-content: #330a06;
    --color-muted: #a3adba;
    --color-control: #6b7686;
  }
}
`
