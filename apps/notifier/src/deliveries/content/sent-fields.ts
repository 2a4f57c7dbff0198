/** Field of a sent body. `path` is `data.password` for one of an envelope, `name` its last part. */
export interface SentField {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

/** Lists the fields of a body; for an envelope, those of its `data`. */
export function listSentFields(body: Buffer): SentField[] {
  return Object.entries(JSON.parse(body.toString('utf8')) as Record<string, unknown>).flatMap(
    ([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([inner, innerValue]) => ({
            path: `${name}.${inner}`,
            name: inner,
            value: innerValue,
          }))
        : [{ path: name, name, value }],
  );
}
