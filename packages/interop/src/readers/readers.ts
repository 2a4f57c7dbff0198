import { gnutls } from './gnutls.ts';
import { invoiceSigner } from './invoice-signer.ts';
import { bouncyCastle, jdk } from './java.ts';
import { nss } from './nss.ts';
import { openssl } from './openssl.ts';
import { pdf } from './pdf.ts';
import { php } from './php.ts';
import { pkijsReader } from './pkijs.ts';
import { xmlsec } from './xmlsec.ts';

export const readers = [
  openssl,
  jdk,
  bouncyCastle,
  nss,
  gnutls,
  pkijsReader,
  php,
  xmlsec,
  invoiceSigner,
  pdf,
] as const;
