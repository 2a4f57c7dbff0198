/** How much of a long text is shown, in characters. */
const shownLength = 16;
const longLength = 300;
const hiddenText = '•••••• (--show-secrets shows it)';

/**
 * The body as data for a screen or a log: passwords hidden, certificate files and overlong texts cut short,
 * unless secrets are to be shown. Undefined when it is no JSON, or nested too deep to be written again.
 */
export function viewBody(body: Buffer, showSecrets: boolean): unknown {
  try {
    const text = JSON.stringify(parseBody(body), showSecrets ? undefined : withoutSecrets);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined when it is no JSON. */
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
  if (name === 'file') return shortened(value, `${Buffer.from(value, 'base64').length} bytes in base64`);
  return value.length > longLength ? shortened(value, `${value.length} characters`) : value;
}

function shortened(text: string, note: string) {
  return `${text.slice(0, shownLength)}… (${note})`;
}

/** What arrives may hold anything; on a terminal control characters would be obeyed. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�');
}
