/** A field of a body that was sent; `path` is `data.password` for one of an envelope, `name` its last part. */
export interface SentField {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

/** What a body has in it. In an envelope the fields are those of its `data`. */
export function sentFields(body: Buffer): SentField[] {
  return Object.entries(JSON.parse(body.toString('utf8')) as Record<string, unknown>).flatMap(
    ([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([inner, one]) => ({ path: `${name}.${inner}`, name: inner, value: one }))
        : [{ path: name, name, value }],
  );
}
