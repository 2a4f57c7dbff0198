import type { FastifyRequest } from 'fastify';
import type { BodyReader } from '../body-reader.ts';
import type { Callers } from '../callers.ts';
import type { Session } from '../session/sealed-session.ts';
import type { Gateway, GatewayAnswer } from './gateway.ts';
import { selectGatewayHeaders } from './passed-headers.ts';

export interface GatewayRoutesDeps {
  readonly gateway: Gateway;
  readonly callers: Callers;
  readonly bodies: BodyReader;
  /** Origin of the console. */
  readonly origin: string;
  nowMs(): number;
}

/**
 * Sends the same call to the gateway, as the operator.
 * @throws GatewayUnreachable
 */
export async function sendToGateway(
  request: FastifyRequest,
  session: Session | undefined,
  { gateway }: Pick<GatewayRoutesDeps, 'gateway'>,
  body?: Buffer,
): Promise<GatewayAnswer> {
  return gateway.send({
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: request.url,
    headers: selectGatewayHeaders(request.headers, {
      address: request.ip,
      accessToken: session?.accessToken,
    }),
    body,
    signal: request.signal,
  });
}

/**
 * Returns the status for the browser. Browsers log each answer above 399 as an error, including that to a wrong
 * password. The pages request 200 by this header, and read the failure from the body.
 */
export function toBrowserStatus(request: FastifyRequest, status: number): number {
  return request.headers['x-errors'] === 'in-body' ? 200 : status;
}
