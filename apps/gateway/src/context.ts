import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '@rubrica/contracts/rest/operations';
import type { SandboxOperationId } from '@rubrica/contracts/rest/sandbox';
import { continueTrace } from '@rubrica/process/context';
import { uuidv7 } from '@rubrica/process/time';
import type { OperatorCaller, PartnerCaller as PartnerOnBus } from '@rubrica/process/trpc';
import type { FastifyRequest } from 'fastify';

export type Language = 'en' | 'es';

/** Context of a request, from its headers alone. */
export interface RequestContext {
  readonly requestId: string;
  readonly traceparent: string;
  readonly traceId: string;
  readonly language: Language;
  readonly startedAtMs: number;
}

/** Access token of the caller, sealed to intake, which its calls carry. */
interface SealedCredential {
  readonly sealedToken?: string;
}
export type PartnerCaller = PartnerOnBus & SealedCredential;
export type IdentifiedCaller =
  | PartnerCaller
  | (OperatorCaller & SealedCredential)
  | { readonly kind: 'public' };

declare module 'fastify' {
  interface FastifyRequest {
    call: RequestContext;
    /** Caller of the request; `public` until a token was checked. */
    caller: IdentifiedCaller;
  }
  interface FastifyContextConfig {
    operation?: OperationId | SandboxOperationId;
    /** Scope of the operation, named in the challenge of a 403. */
    scope?: string;
    /** Exempts body and answer from time limits. */
    takesItsTime?: true;
  }
}

const requestIdPattern = /^[A-Za-z0-9_.-]{1,64}$/;

export function createContext(headers: IncomingHttpHeaders): RequestContext {
  const requestIdHeader = headers['x-request-id'];
  const traceparentHeader = typeof headers.traceparent === 'string' ? headers.traceparent : undefined;
  const traceparent = continueTrace(traceparentHeader);
  return {
    requestId:
      typeof requestIdHeader === 'string' && requestIdPattern.test(requestIdHeader)
        ? requestIdHeader
        : uuidv7(),
    traceparent,
    traceId: traceparent.slice(3, 35),
    language: selectLanguage(headers['accept-language']),
    startedAtMs: performance.now(),
  };
}

/**
 * Returns the partner of a request whose route requires a scope.
 * @throws Error for a route without authentication
 */
export function requirePartner(request: Pick<FastifyRequest, 'caller'>): PartnerCaller {
  if (request.caller.kind !== 'partner') throw new Error('this route does not authenticate partners');
  return request.caller;
}

/** Selects the preferred language, English unless the caller prefers another (RFC 9110 §12.5.4). */
export function selectLanguage(acceptLanguage: string | undefined, fallback: Language = 'en'): Language {
  if (acceptLanguage === undefined) return fallback;
  let best: Language = fallback;
  let bestWeight = 0;
  for (const range of acceptLanguage.slice(0, 200).split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const [primary] = tag.split('-');
    if (primary !== 'en' && primary !== 'es') continue;
    const weight = parseWeight(parameters);
    if (weight <= bestWeight) continue;
    best = primary;
    bestWeight = weight;
  }
  return best;
}

function parseWeight(parameters: readonly string[]): number {
  const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean);
  const weight = quality === undefined ? 1 : Number(quality);
  return Number.isNaN(weight) ? 0 : weight;
}
