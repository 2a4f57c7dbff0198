/** Builds the headers of every answer; pages that need more than nothing set their own policy. */
export function securityHeaders(isHttps: boolean): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
