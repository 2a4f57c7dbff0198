import { writeFileSync } from 'node:fs';
import { createRubrica } from '@rubrica/sdk';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const rubrica = createRubrica({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const request = { referenceTransaction: `ORDER-${Date.now()}` };
await rubrica.transactional.register({
  ...request,
  identificationNumber: '2450010000',
  fingerCode: 'V4333V2222',
  applicantName: 'María José',
  applicantLastName: 'Ñúñez',
  email: 'maria@example.com',
  cellphoneNumber: '+593991234567',
  city: 'Quito',
  address: 'Av. Amazonas N21-147',
  documentType: 'CI',
  applicationType: 'NATURAL_PERSON',
});
await rubrica.transactional.waitForStatus(request);
const { file, password } = await rubrica.transactional.certificate(request);
writeFileSync('certificate.p12', file, 'base64');
process.stdout.write(`certificate.p12 opens with ${password}\n`);
