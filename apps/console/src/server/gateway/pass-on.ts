import type { FastifyRequest } from 'fastify';
import type { Bodies } from '../bodies.ts';
import type { Callers } from '../callers.ts';
import type { Session } from '../session/sealed-session.ts';
import type { Gateway, GatewayAnswer } from './gateway.ts';
import { headersForGateway } from './passed-headers.ts';

export interface GatewayRoutesDeps {
  readonly gateway: Gateway;
  readonly callers: Callers;
  readonly bodies: Bodies;
  /** Our own. */
  readonly origin: string;
  nowMs(): number;
}

/** The same call to the gateway, in the name of the operator. @throws GatewayUnreachable */
export async function send(
  request: FastifyRequest,
  session: Session | undefined,
  { gateway }: Pick<GatewayRoutesDeps, 'gateway'>,
  body?: Buffer,
): Promise<GatewayAnswer> {
  return gateway.send({
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: request.url,
    headers: headersForGateway(request.headers, {
      address: request.ip,
      accessToken: session?.accessToken,
    }),
    body,
    signal: request.signal,
  });
}

/**
 * Browsers write each answer above 399 into their console as an error, also the one to a wrong password. Our pages ask
 * by this header for 200, and read from the body that it failed.
 */
export function statusFor(request: FastifyRequest, status: number): number {
  return request.headers['x-errors'] === 'in-body' ? 200 : status;
}
