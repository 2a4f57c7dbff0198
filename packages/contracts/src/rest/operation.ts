import type { z } from 'zod';
import type { Scope } from '../shared/enumerations.ts';
import type { ErrorCode } from '../shared/errors.ts';

/** One REST operation: the gateway serves it, the OpenAPI document describes it, both from this row. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The scope a token must carry; `any` is content with any token, `public` needs none. */
  readonly access: Scope | 'any' | 'public';
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly mediaType?: 'application/x-www-form-urlencoded';
  readonly maxBodyBytes: number;
  /** The same for everybody until the next release, in the caller's language: kept by caches, asked for by ETag. */
  readonly published?: true;
  readonly success: z.ZodType;
  /** Takes `?dryRun=true`, and then answers this. */
  readonly dryRun?: z.ZodType;
  /** Codes beyond those that any operation may answer. */
  readonly errors: readonly ErrorCode[];
}
