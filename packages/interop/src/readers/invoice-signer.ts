import { readFileSync } from 'node:fs';
import { signInvoiceXml } from 'ec-sri-invoice-signer';
import { attempt, lacksProgram, type Outcome, type Reader, readProgramFault, run } from './reader.ts';
import { chainArguments } from './xmlsec.ts';

const invoice = `<?xml version="1.0" encoding="UTF-8"?>
<factura id="comprobante" version="1.1.0"><infoTributaria><ambiente>1</ambiente><razonSocial>Cacao y Café Ñúñez</razonSocial></infoTributaria></factura>`;

/** Signs invoices for Ecuador's tax authority with node-forge, as most invoice software in JavaScript does. */
export const invoiceSigner: Reader = {
  name: 'ec-sri-invoice-signer',
  does: 'opens, signs an invoice, which xmlsec1 verifies',
  missing: () => lacksProgram('xmlsec1', 'xmlsec1'),
  async read(world) {
    const { samples, write } = world;
    const outcomes: Outcome[] = [];
    for (const sample of samples) {
      if (sample.key === 'P_256') {
        outcomes.push({
          sample: sample.name,
          what: 'signs an invoice',
          cannot: 'node-forge knows RSA keys alone',
        });
        continue;
      }
      outcomes.push(
        await attempt(sample, 'opens the file and signs an invoice', () => {
          const signed = signInvoiceXml(invoice, readFileSync(sample.p12), {
            pkcs12Password: sample.password,
          });
          const verified = run('xmlsec1', [
            ...['--verify', '--id-attr:id', 'factura', '--id-attr:Id', 'SignedProperties'],
            ...['--id-attr:Id', 'KeyInfo', ...chainArguments(world), write('invoice.xml', signed)],
          ]);
          return readProgramFault(verified);
        }),
      );
    }
    return outcomes;
  },
};
