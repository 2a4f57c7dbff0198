import type { Language } from '../../context.ts';

/** What was tried with each program; its name is that of the table. */
const spanish = {
  OpenSSL: 'abre el archivo, firma, y comprueba el certificado con CRL y OCSP',
  'Java (JDK)': 'abre el archivo, firma, lee los campos de identidad, y comprueba con CRL y OCSP',
  'Bouncy Castle': 'abre el archivo, firma, lee los campos de identidad, y comprueba con CRL',
  NSS: 'importa el archivo, firma, y comprueba con CRL; es la biblioteca de Firefox y LibreOffice',
  GnuTLS: 'abre el archivo y comprueba cadena, CRL y OCSP',
  pkijs: 'comprueba cadena, CRL y OCSP; es la biblioteca de firmadores en el navegador',
  xmlsec1: 'abre el archivo, firma XML y comprueba la firma',
  'ec-sri-invoice-signer': 'abre el archivo y firma comprobantes electrónicos del SRI',
  '@signpdf, pdfsig': 'abre el archivo y firma un PDF, que Poppler comprueba',
} as const;
export type Program = keyof typeof spanish;

const english: Readonly<Record<Program, string>> = {
  OpenSSL: 'opens the file, signs, and checks the certificate by CRL and OCSP',
  'Java (JDK)': 'opens the file, signs, reads the identity fields, and checks by CRL and OCSP',
  'Bouncy Castle': 'opens the file, signs, reads the identity fields, and checks by CRL',
  NSS: 'imports the file, signs, and checks by CRL; it is the library of Firefox and LibreOffice',
  GnuTLS: 'opens the file and checks chain, CRL and OCSP',
  pkijs: 'checks chain, CRL and OCSP; it is the library of signers in a browser',
  xmlsec1: 'opens the file, signs XML and checks the signature',
  'ec-sri-invoice-signer': 'opens the file and signs invoices for the SRI',
  '@signpdf, pdfsig': 'opens the file and signs a PDF, which Poppler checks',
};

interface ProgramTexts {
  readonly title: string;
  readonly lead: string;
  readonly tried: string;
  readonly results: Readonly<Record<Program, string>>;
  readonly passed: (passed: number, failed: number) => string;
  readonly limitsHeading: string;
  readonly limits: readonly string[];
  readonly importHeading: string;
  readonly before: string;
  /** Where, and the steps. */
  readonly imports: readonly (readonly [string, string])[];
}

export const programTexts: Readonly<Record<Language, ProgramTexts>> = {
  es: {
    title: 'Qué programas leen estos archivos',
    lead: 'El archivo .p12 lleva su certificado y su clave privada. Se abre con la contraseña que usted eligió o que le dio la empresa que lo pidió. Quien tenga ambos puede firmar por usted.',
    tried: 'Lo que probamos',
    results: spanish,
    passed: (passed, failed) =>
      failed === 0 ? `${passed} pruebas, todas bien` : `${passed} pruebas bien, ${failed} mal`,
    limitsHeading: 'Lo que algunos programas no pueden',
    limits: [
      'Los programas hechos con node-forge, como muchos firmadores de facturas, solo abren claves RSA. Una clave P-256 (el ajuste keyType EC-P256 de la empresa que pidió el certificado) no se abre en ellos.',
      'pdfsig de Poppler 22.12 da por desconocido todo certificado que no declara un propósito, sea de quien sea. La firma le parece válida.',
      'Según sus usuarios, Windows 10 anterior a la versión 1709 y Acceso a Llaveros de varias versiones de macOS dicen que la contraseña es incorrecta aunque sea la correcta: no conocen el cifrado actual. Firme con otro programa de esta página.',
      'Java y muchos programas de firma no abren un archivo cuya contraseña tiene tildes o ñ. Por eso no las admitimos.',
      'FirmaEC conserva como revocado todo certificado que una vez leyó así. Si el suyo estuvo suspendido y volvió a ser válido, allí sigue revocado: pida otro.',
    ],
    importHeading: 'Cómo importar el archivo',
    before:
      'Guarde primero una copia en un lugar seguro. Estos programas no se probaron aquí, salvo la biblioteca de Firefox; los nombres de los menús cambian de una versión a otra.',
    imports: [
      [
        'Windows',
        'Abra el archivo con doble clic: empieza el asistente para importar certificados. Elija «Usuario actual», escriba la contraseña y deje que Windows escoja el almacén.',
      ],
      [
        'macOS',
        'Abra el archivo con doble clic. Acceso a Llaveros pide la contraseña y lo guarda en el último llavero que se eligió, que suele ser «Inicio de sesión».',
      ],
      [
        'Firefox',
        'Ajustes, Privacidad y seguridad, Certificados, Ver certificados, Sus certificados, Importar.',
      ],
      [
        'Adobe Acrobat',
        'Menú, Preferencias, Firmas; en Identidades y certificados de confianza, Más; en ID digitales, Agregar ID. Elija el archivo y escriba la contraseña.',
      ],
      ['FirmaEC', 'No se importa: al firmar, indique el archivo .p12 y escriba la contraseña.'],
    ],
  },
  en: {
    title: 'Which programs read these files',
    lead: 'The .p12 file holds your certificate and your private key. It opens with the password that you chose or that the company that asked for it gave you. Whoever has both can sign for you.',
    tried: 'What we tried',
    results: english,
    passed: (passed, failed) =>
      failed === 0 ? `${passed} checks, all well` : `${passed} checks well, ${failed} not`,
    limitsHeading: 'What some programs cannot do',
    limits: [
      'Programs on node-forge, such as many invoice signers, open RSA keys alone. A P-256 key (the setting keyType EC-P256 of the company that asked for the certificate) does not open in them.',
      'pdfsig of Poppler 22.12 takes every certificate that states no purpose for unknown, whoever issued it. It finds the signature valid.',
      'By what their users report, Windows 10 before version 1709 and Keychain Access of several versions of macOS say that the password is wrong although it is right: they do not know today’s encryption. Sign with another program of this page.',
      'Java and many signing programs open no file whose password has accents or ñ. That is why we do not take them.',
      'FirmaEC keeps every certificate that it once read as revoked. If yours was on hold and is valid again, it stays revoked there: ask for another.',
    ],
    importHeading: 'How to import the file',
    before:
      'First keep a copy in a safe place. These programs were not tried here, except for the library of Firefox; names of menus change from version to version.',
    imports: [
      [
        'Windows',
        'Open the file with a double click: the Certificate Import Wizard starts. Choose “Current User”, enter the password and let Windows pick the store.',
      ],
      [
        'macOS',
        'Open the file with a double click. Keychain Access asks for the password and keeps it in the keychain that was chosen last, which usually is “login”.',
      ],
      [
        'Firefox',
        'Settings, Privacy & Security, Certificates, View Certificates, Your Certificates, Import.',
      ],
      [
        'Adobe Acrobat',
        'Menu, Preferences, Signatures; under Identities & Trusted Certificates, More; under Digital IDs, Add ID. Choose the file and enter the password.',
      ],
      ['FirmaEC', 'Nothing is imported: when you sign, name the .p12 file and enter the password.'],
    ],
  },
};
