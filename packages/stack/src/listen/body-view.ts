/** Number of characters shown of a long text. */
const shownLength = 16;
const longLength = 300;
const hiddenText = '•••••• (--show-secrets shows it)';

/**
 * Prepares the body for a screen or a log: passwords hidden, certificate files and overlong texts truncated, unless
 * secrets are shown. Undefined if it is not JSON, or nested too deep to be serialized again.
 */
export function viewBody(body: Buffer, showSecrets: boolean): unknown {
  try {
    const text = JSON.stringify(parseBody(body), showSecrets ? undefined : withoutSecrets);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses the body; undefined if it is not JSON. */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function withoutSecrets(name: string, value: unknown): unknown {
  if (name === 'password' && value !== null) return hiddenText;
  if (typeof value !== 'string') return value;
  if (name === 'file') return shorten(value, `${Buffer.from(value, 'base64').length} bytes in base64`);
  return value.length > longLength ? shorten(value, `${value.length} characters`) : value;
}

function shorten(text: string, note: string) {
  return `${text.slice(0, shownLength)}… (${note})`;
}

/** Replaces control characters: a terminal would execute those of an untrusted call. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�');
}
