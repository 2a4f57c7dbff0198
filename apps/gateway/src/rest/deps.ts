import type { Clock } from '@rubrica/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadBody } from '../body/body.ts';
import type { GatewayConfig } from '../config.ts';
import type { BundleFiles } from '../evidence/bundle-files.ts';
import type { Peers } from '../peers/clients.ts';

/** Answers one operation: the body of its success, or undefined where the reply was sent. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** What use cases are made of; each takes the few it needs. */
export interface RestDeps {
  readonly peers: Peers;
  readonly readBody: ReadBody;
  readonly bundleFiles: BundleFiles;
  /** Seals to generation: nobody between the partner and the certificate's maker can read it. */
  readonly sealPassword: (password: string) => Promise<string>;
  /** Opens what a peer sealed to the gateway. */
  readonly openSealed: (sealed: string) => Promise<string>;
  readonly limits: GatewayConfig['limits'];
  readonly timeZone: string;
  readonly clock: Clock;
}
