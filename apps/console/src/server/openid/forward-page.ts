const texts = {
  es: { title: 'Sesión iniciada', lead: 'Continuar a la consola' },
  en: { title: 'Signed in', lead: 'Go on to the console' },
} as const;

/**
 * Renders a page that forwards automatically, or by its link. The next page is requested from this origin, so the
 * Strict cookie is sent.
 */
export function renderForwardPage(acceptLanguage: string | undefined): string {
  const language = /^\s*en\b/i.test(acceptLanguage ?? '') ? 'en' : 'es';
  const { title, lead } = texts[language];
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=/"><title>${title} · Rubrica</title></head>
<body><main><h1>${title}</h1><p><a href="/">${lead}</a></p></main></body></html>`;
}
