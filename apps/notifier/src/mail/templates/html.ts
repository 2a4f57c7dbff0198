const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}

/** What a mail says, in plain text; the layout escapes it. */
export type MailContent = {
  language: 'es' | 'en';
  /** The line that mail programs show beside the subject. */
  preview: string;
  heading: string;
  paragraphs: readonly string[];
  button?: { label: string; url: string };
  /** Stands before the address written out, for programs that show no buttons. */
  linkHint?: string;
  facts: readonly { label: string; value: string }[];
  notes: readonly string[];
};

const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const style = {
  page: 'margin:0;padding:0;background:#f3f4f6;-webkit-text-size-adjust:100%;',
  preview: 'display:none;max-height:0;overflow:hidden;opacity:0;',
  card: 'width:100%;max-width:560px;background:#ffffff;border-radius:12px;',
  brand: `padding:28px 28px 0;font:700 18px/24px ${font};color:#1e3a8a;letter-spacing:.3px;`,
  heading: `margin:0;padding:20px 28px 0;font:700 24px/32px ${font};color:#111827;`,
  paragraph: `margin:0;padding:14px 28px 0;font:400 16px/25px ${font};color:#374151;`,
  buttonCell: 'padding:26px 28px 6px;',
  // 48 px high: the least that a thumb meets reliably.
  button: `display:block;padding:14px 24px;background:#1d4ed8;border-radius:10px;font:600 17px/20px ${font};color:#ffffff;text-align:center;text-decoration:none;`,
  fact: `padding:3px 0;font:400 15px/22px ${font};color:#374151;vertical-align:top;`,
  hint: `margin:0;padding:14px 28px 0;font:400 13px/20px ${font};color:#6b7280;word-break:break-all;`,
  note: `margin:0;padding:8px 28px 0;font:400 13px/20px ${font};color:#6b7280;`,
} as const;

/**
 * One column of at most 560 px with styles in the elements, because several mail programs drop style sheets;
 * nothing is loaded from outside, so that no program asks before it shows the mail and nobody is tracked.
 */
export function renderHtml(content: MailContent): string {
  const { language, preview, heading, paragraphs, button, linkHint, facts, notes } = content;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(heading)}</title>
</head>
<body style="${style.page}">
<div style="${style.preview}">${escapeHtml(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td align="center" style="padding:24px 12px;">
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${style.card}">
<tr><td style="${style.brand}">Rubrica</td></tr>
<tr><td><h1 style="${style.heading}">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p style="${style.paragraph}">${escapeHtml(text)}</p>`).join('\n')}</td></tr>
${button === undefined ? '' : renderButton(button)}<tr><td style="padding:14px 28px 0;"><table role="presentation" cellpadding="0" cellspacing="0" border="0">
${facts.map(renderFact).join('\n')}
</table></td></tr>
<tr><td>${button === undefined ? '' : renderLink(linkHint ?? '', button.url)}
${notes.map((text) => `<p style="${style.note}">${escapeHtml(text)}</p>`).join('\n')}</td></tr>
<tr><td style="padding:0 0 28px;"></td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function renderButton({ label, url }: { label: string; url: string }): string {
  return `<tr><td style="${style.buttonCell}"><a href="${escapeHtml(url)}" style="${style.button}">${escapeHtml(label)}</a></td></tr>\n`;
}

function renderLink(hint: string, address: string): string {
  const url = escapeHtml(address);
  return `<p style="${style.hint}">${escapeHtml(hint)}<br><a href="${url}" style="color:#1d4ed8;">${url}</a></p>`;
}

function renderFact({ label, value }: { label: string; value: string }): string {
  return `<tr><td style="${style.fact}padding-right:14px;color:#6b7280;">${escapeHtml(label)}</td><td style="${style.fact}">${escapeHtml(value)}</td></tr>`;
}

/** The same for readers and programs that take plain text. */
export function renderText(content: MailContent): string {
  const { heading, paragraphs, button, facts, notes } = content;
  return [
    heading,
    ...paragraphs,
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...notes,
    '— Rubrica',
  ]
    .join('\n\n')
    .concat('\n');
}
