import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { type Pace, withBytes } from '@rubrica/process/bodies';
import type { FastifyRequest } from 'fastify';
import type { Budgets } from '../body/budgets.ts';
import { parseMediaType } from '../body/media-type.ts';
import { listCallerKeys } from '../http/caller-keys.ts';

const maxBodyBytes = 1024 * 1024;
const maxSignInBytes = 16 * 1024;

export interface OperatorBodyDeps {
  readonly budgets: Pick<Budgets, 'large' | 'signIn'>;
  readonly pace: Pace;
}

/**
 * Reads the body of a permitted call; undefined for any other, whose body is not read: each of its procedures is
 * refused without input. A sign-in is anonymous, so its body is small and has a separate budget.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, RATE_LIMITED, SERVICE_UNAVAILABLE or BODY_MALFORMED
 */
export async function readOperatorBody(
  request: FastifyRequest,
  { budgets, pace }: OperatorBodyDeps,
): Promise<string | undefined> {
  const isSignIn = listPaths(request).some((path) => publicPaths.has(path));
  if (!isSignIn && request.caller.kind !== 'operator') return undefined;
  parseMediaType(request.headers);
  const [budget, maxBytes] = isSignIn ? [budgets.signIn, maxSignInBytes] : [budgets.large, maxBodyBytes];
  const allowance = budget.of(listCallerKeys(request));
  return withBytes(request.raw, { maxBytes, allowance, pace }, (bytes) => bytes.toString('utf8'));
}

/** Lists the procedures of a batch, which the address separates by commas. */
function listPaths({ params }: FastifyRequest): readonly string[] {
  return (params as { '*': string })['*'].split(',');
}

const publicPaths: ReadonlySet<string> = new Set(
  Object.entries<OperatorProcedure>(operatorProcedures)
    .filter(([, { role }]) => role === 'public')
    .map(([path]) => path),
);
