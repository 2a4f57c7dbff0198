import { AppError, toAppError } from '@rubrica/process/errors';
import { z } from 'zod';
import { requestOwner } from '../../fields/request-owner.ts';
import type { RestDeps } from '../deps.ts';

export interface OpenedBundle {
  /** PKCS#12, DER in base64. */
  readonly file: string;
  readonly password: string;
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Bundle that intake granted. */
interface GrantedBundle {
  readonly requestId: string;
  readonly grant: string;
}

const bundleSchema = z.object({ file: z.string(), password: z.string() });

/**
 * Fetches the bundle of a request from generation and opens it, with a grant of intake. Neither file nor password is
 * stored or logged here.
 * @throws AppError CERTIFICATE_NOT_FOUND where there is none, or its retention has ended
 */
export function createOpenBundle({ peers, openSealed }: Pick<RestDeps, 'peers' | 'openSealed'>) {
  return async ({ requestId, grant }: GrantedBundle): Promise<OpenedBundle> => {
    const released = await release(peers, grant);
    const { file, password } = parseBundle(
      await openSealed(released.sealed, { purpose: 'bundle', owner: requestOwner(requestId) }),
    );
    return {
      file,
      password,
      serialNumber: released.serialNumber,
      notBefore: new Date(released.notBefore),
      notAfter: new Date(released.notAfter),
    };
  };
}

async function release(peers: RestDeps['peers'], grant: string) {
  try {
    return await peers.generation['bundles.release']({ grant });
  } catch (error) {
    const fault = toAppError(error);
    throw fault.code === 'PAYLOAD_EXPIRED' ? new AppError({ code: 'CERTIFICATE_NOT_FOUND' }) : fault;
  }
}

/** Parses a bundle. A malformed one is neither returned nor quoted, because it may contain the password. */
function parseBundle(text: string): z.output<typeof bundleSchema> {
  try {
    return bundleSchema.parse(JSON.parse(text));
  } catch {
    throw new AppError({
      code: 'INTERNAL_ERROR',
      cause: new Error('a released bundle holds no file or password'),
    });
  }
}
