import type { Clock, Keyring } from '@rubrica/process';
import type { ReadBody } from '../body/body.ts';
import type { GatewayConfig } from '../config.ts';
import type { Peers } from '../peers/peers.ts';
import type { BundleFiles } from './evidence/bundle-files.ts';

/** What use cases depend on; each takes the few it needs. */
export interface RestDeps {
  readonly peers: Peers;
  readonly readBody: ReadBody;
  readonly bundleFiles: BundleFiles;
  /** Seals to generation, so that no service on the way can read it. */
  readonly sealPassword: (password: string, requestId: string) => Promise<string>;
  readonly keyring: Pick<Keyring, 'sealTo'>;
  /** Opens what a peer sealed to the gateway, for that use. */
  readonly openSealed: Keyring['openText'];
  readonly limits: GatewayConfig['limits'];
  readonly timeZone: string;
  readonly clock: Clock;
}
