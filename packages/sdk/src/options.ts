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
      /**
       * Key that signs for each token instead of a secret (`private_key_jwt`); its public half is registered with the
       * service.
       */
      readonly privateKey: PrivateKey;
      readonly keyId?: string;
      /** Audience of the signature, if the service has another address than `baseUrl`: its issuer. */
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
  /** Origin of the service, with a path prefix if it has one. */
  readonly baseUrl: string;
  /** Language of error texts and of the names in reference lists; default `en`. */
  readonly language?: 'es' | 'en';
  /**
   * Time limit of one attempt, including its answer; default 60,000. Bodies may be large, and issuance itself waits 10
   * s.
   */
  readonly timeoutMs?: number;
  /** Maximum attempts of one call; default 4. */
  readonly maxAttempts?: number;
  /** Longest wait between two attempts; default 30,000. If the service asks for more, the call fails. */
  readonly maxWaitMs?: number;
  /** Replaces the runtime's fetch: for a proxy, or for monitoring. */
  readonly fetch?: Fetch;
};

export interface CallOptions {
  /** Ends the call, including waits; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time limit of one attempt. */
  readonly timeoutMs?: number;
}

export interface WaitOptions<Answer> extends CallOptions {
  /** States to stop at in addition to the final ones. Default: ERROR, which waits for a correction. */
  readonly until?: readonly Status[];
  /**
   * Total time limit; default 600,000.
   * @throws RubricaError TIMEOUT
   */
  readonly deadlineMs?: number;
  /** Called with each new version of the record. */
  readonly onChange?: (record: Answer) => void;
}

/** Time and randomness, replaced in tests. */
export interface Surroundings {
  readonly now: () => number;
  readonly random: () => number;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}
