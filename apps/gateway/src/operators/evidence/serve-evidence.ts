import { createHash } from 'node:crypto';
import type * as reviewsContract from '@rubrica/contracts/services/schemas/reviews';
import { recogniseType } from '@rubrica/contracts/shared/recognise-type';
import type { ByteBudget } from '@rubrica/process/bodies';
import { AppError, toAppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessTokens } from '../../auth/access-tokens.ts';
import { parseBearerToken } from '../../auth/bearer.ts';
import { encryptionOverheadBytes } from '../../body/files/seal-files.ts';

import { getCallerAddress } from '../../http/caller-address.ts';
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

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** Headers of an untrusted file from an applicant: it may be displayed, and nothing else. */
const headers = {
  'cache-control': 'no-store',
  'content-disposition': 'inline',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Allows any origin: the address is the key, so a dashboard may show it as `<img>` or `<video>`. Applies to refusals
 * too.
 */
async function allowAnyOrigin(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cross-origin-resource-policy', 'cross-origin');
}

/**
 * Serves an evidence to the operator who got its link (`reviews.evidence`). The address is the secret, because browsers
 * send no token with an image; a token that is sent must be that operator's. Intake records each opening and returns
 * the stored file, with its key sealed to the gateway. Only the gateway decrypts it.
 */
export function serveEvidence(app: FastifyInstance, deps: EvidenceDeps): void {
  app.get<{ Params: { token: string } }>(
    '/review/evidence/:token',
    // A HEAD would be recorded as an opening and display nothing.
    {
      exposeHeadRoute: false,
      onRequest: [allowAnyOrigin, ...(deps.limit === undefined ? [] : [deps.limit])],
    },
    async (request, reply) => {
      const { token } = request.params;
      if (!tokenPattern.test(token)) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
      const opened = await openEvidence(request, token, deps);
      return show({ ...opened, token }, reply, deps);
    },
  );
}

type OpenedEvidence = reviewsContract.OpenedEvidence;

/**
 * Opens the evidence of a link.
 * @throws AppError ROUTE_NOT_FOUND
 */
async function openEvidence(
  request: FastifyRequest,
  token: string,
  deps: EvidenceDeps,
): Promise<OpenedEvidence> {
  const operatorId = await identifyOperator(request, deps.tokens);
  const input = {
    sealedToken: await deps.keyring.sealTo('intake', token, {
      purpose: 'evidence-token',
      owner: 'gateway',
    }),
    remoteAddress: getCallerAddress(request),
    ...(operatorId === undefined ? {} : { operatorId }),
  };
  try {
    return await deps.peers.intake['reviews.openEvidence'](input);
  } catch (error) {
    // Intake's answer for an invalid link; from any other call it would be a mismatch of releases.
    if (toAppError(error).code === 'ROUTE_NOT_FOUND') throw new AppError({ code: 'ROUTE_NOT_FOUND' });
    throw error;
  }
}

/** Returns the signed-in operator. An expired token is ignored, so that the link still opens. */
async function identifyOperator(
  { headers: { authorization } }: FastifyRequest,
  tokens: EvidenceDeps['tokens'],
): Promise<string | undefined> {
  const token = parseBearerToken(authorization);
  if (token === undefined) return undefined;
  try {
    return (await tokens.verifyOperator(token)).identity.operatorId;
  } catch {
    return undefined;
  }
}

async function show(
  { file, sealedKey, address, token }: OpenedEvidence & { token: string },
  reply: FastifyReply,
  deps: EvidenceDeps,
) {
  // Counted twice: encrypted and in the clear.
  const held = 2 * (file.size + encryptionOverheadBytes);
  const allowance = deps.budget.of(listCallerKeys(reply.request));
  allowance.take(held);
  try {
    const owner = createHash('sha256').update(token).digest('hex');
    const key = await deps.keyring.open(sealedKey, { purpose: 'shown-evidence-key', owner });
    const bytes = decryptFile(await loadBytes(file, address, deps), { key, sha256: file.sha256 });
    const type = recogniseType(bytes)?.mediaType ?? 'application/octet-stream';
    return await reply.headers(headers).header('content-type', type).send(bytes);
  } finally {
    allowance.give(held);
  }
}

async function loadBytes(
  { content, object }: OpenedEvidence['file'],
  address: string | undefined,
  { fetchObject }: EvidenceDeps,
) {
  if (content !== undefined) return Buffer.from(content);
  if (object !== undefined) return fetchObject(object, address);
  throw new AppError({ code: 'INTERNAL_ERROR', cause: new Error('an evidence with a key has no file') });
}
