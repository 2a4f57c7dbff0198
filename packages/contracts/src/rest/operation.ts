import type { z } from 'zod';
import type { Scope } from '../shared/enumerations.ts';
import type { ErrorCode } from '../shared/errors.ts';

/** Announced end of an operation, at least twelve months ahead. */
export interface Deprecation {
  /** Day of the announcement and last day, as `2027-01-31` in UTC. */
  readonly since: string;
  readonly sunset: string;
  /** Replacement: an address, or a path of ours. */
  readonly link: string;
}

/** One REST operation. The gateway serves it and the OpenAPI document describes it from this row. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Scope that a token must have; `any` accepts any token, `public` needs none. */
  readonly access: Scope | 'any' | 'public';
  /** Parameters of `path`, in braces. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /**
   * Media type of a body that is not one JSON document. With `x-ndjson` each line is `body`, and each line of the
   * answer `success`.
   */
  readonly mediaType?: 'application/x-www-form-urlencoded' | 'application/x-ndjson';
  readonly maxBodyBytes: number;
  /**
   * The answer is equal for everyone until the next release, in the caller's language. Caches store it, and clients
   * revalidate it by ETag.
   */
  readonly published?: true;
  readonly success: z.ZodType;
  /** Answer to `?dryRun=true`; described as an operation of its own (`dry-run.ts`). */
  readonly dryRun?: z.ZodType;
  /** Announced in headers of every answer, in the OpenAPI document and on the operation's page. */
  readonly deprecated?: Deprecation;
  /** Codes in addition to those of every operation. */
  readonly errors: readonly ErrorCode[];
}
