/**
 * Policy of the console's pages: nothing inline, nothing external. `blob:` is for files from the gateway; `data:` is
 * not allowed.
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

/** Headers of an untrusted file from an applicant: it may be displayed, and nothing else. */
export const fileHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'content-disposition': 'inline',
} as const;

/**
 * Headers of a PDF, which browsers do not display in a sandbox. Their viewers give its scripts no access to the
 * embedding page.
 */
export const pdfHeaders = {
  'content-security-policy': "default-src 'none'; object-src 'self'; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
  'content-disposition': 'inline',
} as const;
