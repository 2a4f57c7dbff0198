import { join } from 'node:path';
import { pem, writeThrough } from '../files.ts';
import { openRoot, type RootCeremony, signRootCrl } from './root-ceremony.ts';

/** Signs the next CRL of the root, before the last one expires. */
export async function signNextRootCrl(ceremony: RootCeremony, folder: string): Promise<number> {
  const { line } = ceremony;
  const { der, told } = await signRootCrl(ceremony, await openRoot(ceremony));
  const path = join(folder, 'root-crl.pem');
  await writeThrough(path, pem('X509 CRL', der));
  line(`\n  A CRL of the root was signed: ${told}.`);
  line(`\n  Carry ${path} to the service. There: npm run ca -- install <the file>\n`);
  return 0;
}
