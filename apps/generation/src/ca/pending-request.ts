import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ParsedCertificationRequest, parseCertificationRequest } from '@rubrica/pki';
import { z } from 'zod';
import { type KeyReference, keyReference } from '../issuers/authorities/authority-file.ts';
import { CeremonyError } from './ceremony.ts';
import { writeThrough } from './files.ts';

/** Issuing authority without a certificate yet: its key exists and its request was sent. */
export interface PendingRequest {
  /** Name of the authority once its certificate is installed. */
  readonly name: string;
  readonly key: KeyReference;
  readonly request: ParsedCertificationRequest;
}

const pendingFile = z.object({
  version: z.literal(1),
  name: z.string().regex(/^issuing(?:-\d{1,4})?$/),
  key: keyReference,
  /** PKCS #10, DER. */
  request: z.base64(),
});

const pattern = /^request-issuing(?:-\d{1,4})?\.json$/;

/**
 * Reads the requests that have no installed answer.
 * @throws Error that names an unreadable file
 */
export async function readPendingRequests(directory: string): Promise<PendingRequest[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(names.filter((name) => pattern.test(name)).map((name) => read(join(directory, name))));
}

async function read(path: string): Promise<PendingRequest> {
  const createError = () => new CeremonyError(`${path} is not a request that waits for its answer.`);
  const text = await readFile(path, 'utf8');
  const parsed = pendingFile.safeParse(parseJson(text));
  if (!parsed.success) throw createError();
  const request = parseCertificationRequest(Buffer.from(parsed.data.request, 'base64'));
  if (!request.ok) throw createError();
  return { name: parsed.data.name, key: parsed.data.key, request: request.value };
}

export async function storePendingRequest(directory: string, { name, key, request }: PendingRequest) {
  const content = { version: 1, name, key, request: Buffer.from(request.raw).toString('base64') };
  await writeThrough(pendingRequestPath(directory, name), `${JSON.stringify(content, null, 2)}\n`, 0o600);
}

/** Deletes a request once its authority is in the file of authorities. */
export async function deletePendingRequest(directory: string, name: string): Promise<void> {
  await rm(pendingRequestPath(directory, name), { force: true });
}

export function pendingRequestPath(directory: string, name: string): string {
  return join(directory, `request-${name}.json`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
