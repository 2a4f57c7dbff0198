/// <reference path="./s3rver.d.ts" />
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { scratchDirectory } from '@rubrica/testkit';
import { createTransportAuthority } from '@rubrica/testkit/certificates';
import type { S3Settings } from '../../src/s3/s3-client.ts';

export interface SmallS3 extends AsyncDisposable {
  readonly settings: S3Settings;
  readonly ca: Buffer;
  /** What a service is told of it, beside EVIDENCE_STORE. */
  readonly env: Readonly<Record<string, string>>;
  /** It answers nobody any more. */
  stop(): Promise<void>;
  /** It is back, with what it had. */
  start(): Promise<void>;
  /** It takes nothing more, or does again; what is there can be read. */
  setFull(isFull: boolean): void;
}

/** A store in this process, from the npm registry: there at once, where Ceph takes half a minute and 900 MB. */
export async function smallS3(): Promise<SmallS3> {
  await using owned = new AsyncDisposableStack();
  const { path: directory } = owned.use(await scratchDirectory('s3'));
  const authority = await createTransportAuthority('S3');
  const { certificate: cert, key } = await authority.issue('serverAuth', { dnsNames: ['localhost'] });
  const caFile = join(directory, 'ca.pem');
  await writeFile(caFile, authority.certificate);
  let isFull = false;
  let port = 0;
  let running: S3rver | undefined;
  const start = async () => {
    running ??= new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      configureBuckets: [{ name: 'evidence' }],
      key,
      cert,
      // It reckons those of lists by another path than it is asked at. Ceph, in the drill, looks at all of them.
      allowMismatchedSignatures: true,
    });
    running.middleware.unshift((context, next) => {
      if (!isFull || context.method !== 'PUT') return next();
      context.status = 507;
      return undefined;
    });
    port = (await running.run()).port;
  };
  await start();
  const stop = async () => {
    const stopping = running?.close();
    running = undefined;
    await stopping;
  };
  owned.defer(stop);
  const endpoint = `https://localhost:${port}`;
  const settings: S3Settings = {
    endpoint,
    region: 'us-east-1',
    bucket: 'evidence',
    pathStyle: true,
    keyPrefix: 'proofs/',
    caFile,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  };
  const held = owned.move();
  return {
    settings,
    ca: Buffer.from(authority.certificate),
    env: {
      EVIDENCE_S3_ENDPOINT: endpoint,
      EVIDENCE_S3_BUCKET: settings.bucket,
      EVIDENCE_S3_PATH_STYLE: 'true',
      EVIDENCE_S3_KEY_PREFIX: settings.keyPrefix,
      EVIDENCE_S3_CA_FILE: caFile,
    },
    stop,
    start,
    setFull: (full) => {
      isFull = full;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
