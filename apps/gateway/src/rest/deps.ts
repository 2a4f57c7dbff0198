import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
import type { ReadJsonBody } from '../body/read-json-body.ts';
import type { GatewayConfig } from '../config.ts';
import type { Peers } from '../peers/peers.ts';
import type { BundleFiles } from './evidence/bundle-files.ts';

/** Dependencies of the use cases; each takes only those that it needs. */
export interface RestDeps {
  readonly peers: Peers;
  readonly readJsonBody: ReadJsonBody;
  readonly bundleFiles: BundleFiles;
  /** Seals to generation, so that no service in between can read it. */
  readonly sealPassword: (password: string, requestId: string) => Promise<string>;
  readonly keyring: Pick<Keyring, 'sealTo'>;
  /** Opens a value that a peer sealed to the gateway, for that purpose. */
  readonly openSealed: Keyring['openText'];
  readonly limits: GatewayConfig['limits'];
  readonly timeZone: string;
  readonly clock: Clock;
}
