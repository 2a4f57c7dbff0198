import { z } from 'zod';

/**
 * Body of a 404, which must say so itself: a 404 from a wrong address would report every applicant as
 * unknown.
 */
const notFoundSchema = z.object({ code: z.literal('NOT_FOUND') });

export type BodyResult<Value> =
  | { readonly outcome: 'found'; readonly value: Value }
  | { readonly outcome: 'not-found' }
  /** `reason` names paths of the schema, never their values. */
  | { readonly outcome: 'invalid'; readonly reason: string };

/** Checks an answer against the contract. */
export function readBody<Value>(
  { found, text }: { found: boolean; text: string },
  schema: z.ZodType<Value>,
): BodyResult<Value> {
  const json = parseJson(text);
  if (json === undefined) return { outcome: 'invalid', reason: 'the body is not JSON' };
  if (found) {
    const value = schema.safeParse(json);
    return value.success ? { outcome: 'found', value: value.data } : invalid(value.error);
  }
  const notFound = notFoundSchema.safeParse(json);
  return notFound.success ? { outcome: 'not-found' } : invalid(notFound.error);
}

function invalid({ issues }: z.ZodError): BodyResult<never> {
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
