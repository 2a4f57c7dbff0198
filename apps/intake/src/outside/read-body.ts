import { z } from 'zod';

/** A 404 must say so itself: one from a wrong address would tell every applicant that nobody knows them. */
const nobody = z.object({ code: z.literal('NOT_FOUND') });

export type Read<Value> =
  | { readonly outcome: 'found'; readonly value: Value }
  | { readonly outcome: 'not-found' }
  /** `reason` names places in the schema, never what stood there. */
  | { readonly outcome: 'invalid'; readonly reason: string };

/** Holds an answer against the contract. */
export function readBody<Value>(
  { found, text }: { found: boolean; text: string },
  schema: z.ZodType<Value>,
): Read<Value> {
  const json = parseJson(text);
  if (json === undefined) return { outcome: 'invalid', reason: 'the body is not JSON' };
  if (found) {
    const value = schema.safeParse(json);
    return value.success ? { outcome: 'found', value: value.data } : invalid(value.error);
  }
  const none = nobody.safeParse(json);
  return none.success ? { outcome: 'not-found' } : invalid(none.error);
}

function invalid({ issues }: z.ZodError): Read<never> {
  return {
    outcome: 'invalid',
    reason: issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', '),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
