/**
 * Fields of a procedure's output that are shown once, when their secret is created, with the field that names what they
 * belong to. They are read from the result of an approval too, whose schema says nothing of the procedure's output.
 */
export const shownOnce = {
  'partners.create': ['clientId', 'clientSecret', 'webhookSecret'],
  'partners.rotateSecret': ['secret', 'publicKey'],
  'partners.issueToken': ['token'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Selects what `result`, the output of `procedure`, shows once; empty where it shows nothing. */
export function selectShownOnce(procedure: string, result: unknown): Readonly<Record<string, string>> {
  const names: readonly string[] = shownOnce[procedure as keyof typeof shownOnce] ?? [];
  if (typeof result !== 'object' || result === null) return {};
  const fields = Object.entries(result).filter(
    ([name, value]) => names.includes(name) && typeof value === 'string',
  );
  return Object.fromEntries(fields);
}
