import { z } from 'zod';
import { computeRenewAtMs } from './renew-if-due.ts';
import type { Session } from './sealed-session.ts';

const tokensSchema = z.object({
  accessToken: z.string(),
  expiresIn: z.number(),
  refreshToken: z.string().optional(),
  role: z.enum(['viewer', 'reviewer', 'admin']),
  email: z.string().optional(),
  scope: z.enum(['full', 'enrolment', 'breakGlass']).default('full'),
});

/**
 * Creates the session of a gateway answer, with the part that a browser may see; undefined for an answer without
 * tokens.
 */
export function toSignedInSession(
  data: unknown,
  { email, nowMs }: { readonly email: string; readonly nowMs: number },
): { session: Session; shown: Record<string, unknown> } | undefined {
  const tokens = tokensSchema.safeParse(data).data;
  if (tokens === undefined) return undefined;
  const { accessToken, refreshToken, expiresIn, role, scope } = tokens;
  const { accessToken: _, refreshToken: __, ...shown } = data as Record<string, unknown>;
  const session = {
    accessToken,
    accessEndsAtMs: nowMs + expiresIn * 1000,
    renewAtMs: computeRenewAtMs(nowMs, expiresIn * 1000),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    role,
    scope,
    email: tokens.email ?? email,
  };
  return { session, shown };
}
