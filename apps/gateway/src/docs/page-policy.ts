import { createHash } from 'node:crypto';
import { script } from './script.ts';
import { style } from './style.ts';

/** The page's own style and script, named by their hashes, its icon, and calls to ourselves. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(style.text)}'`,
  `script-src 'sha256-${sha256(script.text)}'`,
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
