/**
 * Of our own pages: nothing inline, nothing from elsewhere. `blob:` is for files that a page was handed by the gateway,
 * `data:` for none.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function securityHeaders(isHttps: boolean): Record<string, string> {
  return {
    'content-security-policy': pagePolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** A file comes from an applicant and is not trusted: it may be shown, and do nothing else. */
export const fileHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'content-disposition': 'inline',
} as const;

/** Browsers show no PDF in a sandbox. Their viewers give its scripts nothing of the page it is shown in. */
export const pdfHeaders = {
  'content-security-policy': "default-src 'none'; object-src 'self'; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
  'content-disposition': 'inline',
} as const;
