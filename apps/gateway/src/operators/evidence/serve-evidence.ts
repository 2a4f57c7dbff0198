import { createHash } from 'node:crypto';
import type * as reviewsContract from '@rubrica/contracts/services/schemas/reviews';
import { recogniseType } from '@rubrica/contracts/shared/recognise-type';
import { AppError, type ByteBudget, type Keyring, toAppError } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessTokens } from '../../auth/access-tokens.ts';
import { bearerToken } from '../../auth/bearer.ts';
import { overheadBytes } from '../../body/files/seal-files.ts';

import { addressOf } from '../../http/address-of.ts';
import { listCallerKeys } from '../../http/caller-keys.ts';
import type { Limit } from '../../http/rate-limits.ts';
import type { Peers } from '../../peers/peers.ts';
import { decryptFile } from './decrypt-file.ts';
import type { FetchObject } from './fetch-object.ts';

export interface EvidenceDeps {
  readonly peers: Pick<Peers, 'intake'>;
  readonly keyring: Pick<Keyring, 'open' | 'sealTo'>;
  readonly tokens: Pick<AccessTokens, 'verifyOperator'>;
  readonly fetchObject: FetchObject;
  readonly budget: ByteBudget;
  readonly limit: Limit | undefined;
}

const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/** The file comes from an applicant and is not trusted: it may be shown, and do nothing else. */
const headers = {
  'cache-control': 'no-store',
  'content-disposition': 'inline',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** The address is the key, so a dashboard of any origin may show it as `<img>` or `<video>`. Refusals say it too. */
async function allowAnyOrigin(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cross-origin-resource-policy', 'cross-origin');
}

/**
 * An evidence, for the operator who got its link (`reviews.evidence`). The address is the secret, because browsers send
 * no token with an image; a token that is sent must be that operator's. Intake records each opening and hands out the
 * file as it is stored, with its key sealed to us. It is decrypted only here.
 */
export function serveEvidence(app: FastifyInstance, deps: EvidenceDeps): void {
  app.get<{ Params: { token: string } }>(
    '/review/evidence/:token',
    // A HEAD would be recorded as an opening and show nothing.
    {
      exposeHeadRoute: false,
      onRequest: [allowAnyOrigin, ...(deps.limit === undefined ? [] : [deps.limit])],
    },
    async (request, reply) => {
      const { token } = request.params;
      if (!tokenShape.test(token)) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
      const opened = await open(request, token, deps);
      return show({ ...opened, token }, reply, deps);
    },
  );
}

type Opened = reviewsContract.OpenedEvidence;

/** @throws AppError ROUTE_NOT_FOUND */
async function open(request: FastifyRequest, token: string, deps: EvidenceDeps): Promise<Opened> {
  const operatorId = await operatorOf(request, deps.tokens);
  const input = {
    sealedToken: await deps.keyring.sealTo('intake', token, {
      purpose: 'evidence-token',
      owner: 'gateway',
    }),
    remoteAddress: addressOf(request),
    ...(operatorId === undefined ? {} : { operatorId }),
  };
  try {
    return await deps.peers.intake['reviews.openEvidence'](input);
  } catch (error) {
    // Intake's way to say that the link opens nothing; from any other call it would be a fault between releases.
    if (toAppError(error).code === 'ROUTE_NOT_FOUND') throw new AppError({ code: 'ROUTE_NOT_FOUND' });
    throw error;
  }
}

/** Who is signed in. A stale token counts as none, so that the link still opens. */
async function operatorOf(
  { headers: { authorization } }: FastifyRequest,
  tokens: EvidenceDeps['tokens'],
): Promise<string | undefined> {
  const token = bearerToken(authorization);
  if (token === undefined) return undefined;
  try {
    return (await tokens.verifyOperator(token)).identity.operatorId;
  } catch {
    return undefined;
  }
}

async function show(
  { file, sealedKey, address, token }: Opened & { token: string },
  reply: FastifyReply,
  deps: EvidenceDeps,
) {
  // Twice: encrypted and in the clear.
  const held = 2 * (file.size + overheadBytes);
  const allowance = deps.budget.of(listCallerKeys(reply.request));
  allowance.take(held);
  try {
    const owner = createHash('sha256').update(token).digest('hex');
    const key = await deps.keyring.open(sealedKey, { purpose: 'shown-evidence-key', owner });
    const bytes = decryptFile(await storedBytes(file, address, deps), { key, sha256: file.sha256 });
    const type = recogniseType(bytes)?.mediaType ?? 'application/octet-stream';
    return await reply.headers(headers).header('content-type', type).send(bytes);
  } finally {
    allowance.give(held);
  }
}

async function storedBytes(
  { content, object }: Opened['file'],
  address: string | undefined,
  { fetchObject }: EvidenceDeps,
) {
  if (content !== undefined) return Buffer.from(content);
  if (object !== undefined) return fetchObject(object, address);
  throw new AppError({ code: 'INTERNAL_ERROR', cause: new Error('an evidence with a key has no file') });
}
