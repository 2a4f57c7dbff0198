import type { Status } from './api.ts';
import type { PrivateKey } from './assertion.ts';
import type { Fetch } from './transport/exchange.ts';

export type Credentials =
  | {
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string;
      readonly apiToken?: never;
      readonly privateKey?: never;
    }
  | {
      readonly clientId: string;
      /** Signs for each token instead of a secret (`private_key_jwt`); its public half is registered with the service. */
      readonly privateKey: PrivateKey;
      readonly keyId?: string;
      /** Whom the signature is for, where the service has another address than `baseUrl`: its issuer. */
      readonly audience?: string;
      readonly scope?: string;
      readonly apiToken?: never;
      readonly clientSecret?: never;
    }
  | {
      readonly apiToken: string;
      readonly clientId?: never;
      readonly clientSecret?: never;
      readonly privateKey?: never;
    };

export type RubricaOptions = Credentials & {
  /** Origin of the service, with a path before its own where there is one. */
  readonly baseUrl: string;
  /** Of error texts and the names of reference lists; `en`. */
  readonly language?: 'es' | 'en';
  /** Of one attempt, its answer included; 60,000. Bodies may be large, and issuance waits 10 s by itself. */
  readonly timeoutMs?: number;
  /** Of one call in all; 4. */
  readonly maxAttempts?: number;
  /** The longest wait between two attempts; 30,000. A service that asks for more is not waited for. */
  readonly maxWaitMs?: number;
  /** Instead of the runtime's own: for a proxy, or for watching. */
  readonly fetch?: Fetch;
};

export interface CallOptions {
  /** Ends the call, waits included; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Of one attempt. */
  readonly timeoutMs?: number;
}

export interface WaitOptions<Answer> extends CallOptions {
  /** States to stop at in addition to the final ones. Default: ERROR, which waits for a correction. */
  readonly until?: readonly Status[];
  /** In all; 600,000. @throws RubricaError TIMEOUT */
  readonly deadlineMs?: number;
  /** Told of each new version of the record. */
  readonly onChange?: (record: Answer) => void;
}

/** Time and chance, given by tests. */
export interface Surroundings {
  readonly now: () => number;
  readonly random: () => number;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}
