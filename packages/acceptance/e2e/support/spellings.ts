/**
 * Lists every form in which a secret may be written: unchanged, in hexadecimal, and in base64 and base64url at each of
 * three offsets within longer bytes.
 */
export function listSpellings(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters depend on the neighbours.
    return text.slice(shift === 0 ? 0 : shift + 1, -2);
  });
  const forms = [
    bytes.toString('latin1'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  if (typeof secret === 'string')
    forms.push(secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret));
  return [...new Set(forms)];
}

/** Lists the names of the secrets that the text contains. */
export function findSecrets(secrets: Readonly<Record<string, string | Buffer>>, text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    listSpellings(secret).some((form) => text.includes(form)) ? name : [],
  );
}
