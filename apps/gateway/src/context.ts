import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '@rubrica/contracts/rest/operations';
import type { SandboxOperationId } from '@rubrica/contracts/rest/sandbox';
import {
  continuedTrace,
  type OperatorCaller,
  type PartnerCaller as PartnerOnBus,
  uuidv7,
} from '@rubrica/process';
import type { FastifyRequest } from 'fastify';

export type Language = 'en' | 'es';

/** What is known of a request from its headers alone. */
export interface RequestContext {
  readonly requestId: string;
  readonly traceparent: string;
  readonly traceId: string;
  readonly language: Language;
  readonly startedAtMs: number;
}

/** Who has shown an access token, which goes with their calls, sealed to intake. */
interface AtDoor {
  readonly sealedToken?: string;
}
export type PartnerCaller = PartnerOnBus & AtDoor;
export type DoorCaller = PartnerCaller | (OperatorCaller & AtDoor) | { readonly kind: 'public' };

declare module 'fastify' {
  interface FastifyRequest {
    call: RequestContext;
    /** Who the call is made for; `public` until a token was checked. */
    caller: DoorCaller;
  }
  interface FastifyContextConfig {
    operation?: OperationId | SandboxOperationId;
    /** Scope of the operation, named in the challenge of a 403. */
    scope?: string;
    /** Its body and its answer may take as long as they like. */
    takesItsTime?: true;
  }
}

const requestIdShape = /^[A-Za-z0-9_.-]{1,64}$/;

export function createContext(headers: IncomingHttpHeaders): RequestContext {
  const given = headers['x-request-id'];
  const sent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined;
  const traceparent = continuedTrace(sent);
  return {
    requestId: typeof given === 'string' && requestIdShape.test(given) ? given : uuidv7(),
    traceparent,
    traceId: traceparent.slice(3, 35),
    language: preferredLanguage(headers['accept-language']),
    startedAtMs: performance.now(),
  };
}

/** The partner of a request whose route asks for a scope. */
export function partnerOf(request: Pick<FastifyRequest, 'caller'>): PartnerCaller {
  if (request.caller.kind !== 'partner') throw new Error('this route does not authenticate partners');
  return request.caller;
}

/** The fallback, English, unless the caller prefers the other (RFC 9110 §12.5.4). */
export function preferredLanguage(acceptLanguage: string | undefined, fallback: Language = 'en'): Language {
  if (acceptLanguage === undefined) return fallback;
  let best: Language = fallback;
  let bestWeight = 0;
  for (const range of acceptLanguage.slice(0, 200).split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const [primary] = tag.split('-');
    if (primary !== 'en' && primary !== 'es') continue;
    const weight = weightOf(parameters);
    if (weight <= bestWeight) continue;
    best = primary;
    bestWeight = weight;
  }
  return best;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean);
  const weight = quality === undefined ? 1 : Number(quality);
  return Number.isNaN(weight) ? 0 : weight;
}
