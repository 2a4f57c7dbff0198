const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}

/** Content of a mail, in plain text; the layout escapes it. */
export interface MailContent {
  readonly language: 'es' | 'en';
  /** Line that mail programs show next to the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** `hint` precedes the written address, for programs without buttons. */
  readonly button?: { label: string; url: string; hint: string };
  /**
   * Shown large, for reading and copying. It precedes the paragraphs, whose names may contain digits that look like a
   * code.
   */
  readonly code?: string;
  readonly facts?: readonly { label: string; value: string }[];
  readonly notes?: readonly string[];
}

const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const mono = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace";

const style = {
  page: 'margin:0;padding:0;background:#f3f4f6;-webkit-text-size-adjust:100%;',
  preview: 'display:none;max-height:0;overflow:hidden;opacity:0;',
  card: 'width:100%;max-width:560px;background:#ffffff;border-radius:12px;',
  brand: `padding:28px 28px 0;font:700 18px/24px ${font};color:#1e3a8a;letter-spacing:.3px;`,
  heading: `margin:0;padding:20px 28px 0;font:700 24px/32px ${font};color:#111827;`,
  paragraph: `margin:0;padding:14px 28px 0;font:400 16px/25px ${font};color:#374151;overflow-wrap:anywhere;`,
  buttonCell: 'padding:26px 28px 6px;',
  // 48 px high: the minimum for a reliable touch target.
  button: `display:block;padding:14px 24px;background:#1d4ed8;border-radius:10px;font:600 17px/20px ${font};color:#ffffff;text-align:center;text-decoration:none;`,
  codeCell: 'padding:24px 28px 4px;',
  code: `margin:0;padding:18px 8px 18px 16px;background:#eff4ff;border-radius:10px;font:700 34px/42px ${mono};letter-spacing:8px;color:#1e3a8a;text-align:center;`,
  factsCell: 'padding:18px 28px 0;',
  fact: `padding:3px 0;font:400 15px/22px ${font};color:#374151;vertical-align:top;overflow-wrap:anywhere;`,
  hint: `margin:0;padding:18px 28px 0;font:400 14px/21px ${font};color:#6b7280;`,
  // Only the address may break anywhere.
  link: 'color:#1d4ed8;word-break:break-all;',
  note: `margin:0;padding:10px 28px 0;font:400 14px/21px ${font};color:#6b7280;`,
} as const;

/**
 * Styles for programs that support style sheets; others show the light theme. Only !important overrides inline styles.
 */
const darkStyles = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0b0f17!important}.card{background:#161c28!important}
.brand{color:#9db8ff!important}.strong{color:#f3f4f6!important}.body{color:#d1d5db!important}
.soft{color:#a3adbb!important}.link{color:#9db8ff!important}
.button{background:#2f5fe3!important;color:#ffffff!important}.code{background:#1f2a44!important;color:#dbe6ff!important}
}`;

/**
 * Renders one column of at most 560 px with inline styles, because several mail programs drop style sheets. Nothing is
 * loaded from outside, so no program asks before it shows the mail and no recipient is tracked.
 */
export function renderHtml(content: MailContent): string {
  const { language, preview, heading, paragraphs, button, code, facts = [], notes = [] } = content;
  const rows = [
    row(style.brand, 'Rubrica', 'brand'),
    row('', `<h1 class="strong" style="${style.heading}">${escapeHtml(heading)}</h1>`),
    code === undefined
      ? ''
      : row(style.codeCell, `<p class="code" style="${style.code}">${escapeHtml(code)}</p>`),
    row('', texts(paragraphs, style.paragraph, 'body')),
    button === undefined ? '' : renderButton(button),
    facts.length === 0 ? '' : renderFacts(facts),
    row(
      '',
      `${button === undefined ? '' : renderHint(button)}<div style="height:8px;line-height:8px;"></div>${texts(notes, style.note, 'soft')}`,
    ),
    row('padding:0 0 28px;', ''),
  ];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no">
<title>${escapeHtml(heading)}</title>
<style>${darkStyles}</style>
</head>
<body class="page" style="${style.page}">
<div style="${style.preview}">${escapeHtml(preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td align="center" style="padding:24px 12px;">
<table role="presentation" class="card" cellpadding="0" cellspacing="0" border="0" style="${style.card}">
${rows.filter((html) => html !== '').join('\n')}
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function row(css: string, html: string, name = ''): string {
  return `<tr><td align="left"${name && ` class="${name}"`}${css && ` style="${css}"`}>${html}</td></tr>`;
}

function texts(lines: readonly string[], css: string, name: string): string {
  return lines.map((line) => `\n<p class="${name}" style="${css}">${escapeHtml(line)}</p>`).join('');
}

function renderButton({ label, url }: NonNullable<MailContent['button']>): string {
  return row(
    style.buttonCell,
    `<a class="button" href="${escapeHtml(url)}" style="${style.button}">${escapeHtml(label)}</a>`,
  );
}

function renderHint({ url, hint }: NonNullable<MailContent['button']>): string {
  const address = escapeHtml(url);
  return `<p class="soft" style="${style.hint}">${escapeHtml(hint)}<br><a class="link" href="${address}" style="${style.link}">${address}</a></p>`;
}

function renderFacts(facts: NonNullable<MailContent['facts']>): string {
  const lines = facts.map(
    ({ label, value }) =>
      `<tr><td class="soft" style="${style.fact}padding-right:14px;color:#6b7280;white-space:nowrap;">${escapeHtml(label)}</td><td class="body" style="${style.fact}">${escapeHtml(value)}</td></tr>`,
  );
  return row(
    style.factsCell,
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0">\n${lines.join('\n')}\n</table>`,
  );
}

/** Renders the same content as plain text. */
export function renderText(content: MailContent): string {
  const { heading, paragraphs, button, code, facts = [], notes = [] } = content;
  return [
    heading,
    ...(code === undefined ? [] : [code]),
    ...paragraphs,
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    ...(facts.length === 0 ? [] : [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')]),
    ...notes,
    '— Rubrica',
  ]
    .join('\n\n')
    .concat('\n');
}
