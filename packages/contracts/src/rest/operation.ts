import type { z } from 'zod';
import type { Scope } from '../shared/enumerations.ts';
import type { ErrorCode } from '../shared/errors.ts';

/** The end of an operation that was announced: at least twelve months before. */
export interface Deprecation {
  /** Day on which it was announced, and on which it ends, as `2027-01-31` in UTC. */
  readonly since: string;
  readonly sunset: string;
  /** What to use in its place: an address, or a path of ours. */
  readonly link: string;
}

/** One REST operation: the gateway serves it, the OpenAPI document describes it, both from this row. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The scope a token must carry; `any` is content with any token, `public` needs none. */
  readonly access: Scope | 'any' | 'public';
  /** Parts of `path` in braces. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Of the body where it is not one JSON document; of `x-ndjson` each line is `body`, and each line of the answer `success`. */
  readonly mediaType?: 'application/x-www-form-urlencoded' | 'application/x-ndjson';
  readonly maxBodyBytes: number;
  /** The same for everybody until the next release, in the caller's language: kept by caches, asked for by ETag. */
  readonly published?: true;
  readonly success: z.ZodType;
  /** Takes `?dryRun=true`, and then answers this; described as an operation of its own (`dry-run.ts`). */
  readonly dryRun?: z.ZodType;
  /** Told by headers of every answer, by the OpenAPI document and by the operation's page. */
  readonly deprecated?: Deprecation;
  /** Codes beyond those that any operation may answer. */
  readonly errors: readonly ErrorCode[];
}
