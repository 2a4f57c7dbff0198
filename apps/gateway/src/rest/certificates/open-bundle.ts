import { AppError, toAppError } from '@rubrica/process';
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

/** As intake has allowed it. */
interface GrantedBundle {
  readonly requestId: string;
  readonly grant: string;
}

const bundleSchema = z.object({ file: z.string(), password: z.string() });

/**
 * Fetches what generation made for a request and opens it, for an answer that intake has allowed. Neither file nor
 * password is kept or logged here.
 * @throws AppError CERTIFICATE_NOT_FOUND where nothing was made, or its retention has ended
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

/** A malformed bundle is neither answered nor quoted: it may hold the password. */
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
