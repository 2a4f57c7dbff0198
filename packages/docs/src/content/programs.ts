import type { Language } from '../language.ts';

/** Checks that each program passed, by its name in `program-results.json`. */
const spanish = {
  OpenSSL: 'abre el archivo, firma, y comprueba el certificado con CRL y OCSP',
  'Java (JDK)': 'abre el archivo, firma, lee los campos de identidad, y comprueba con CRL y OCSP',
  'Bouncy Castle': 'abre el archivo, firma, lee los campos de identidad, y comprueba con CRL',
  NSS: 'importa el archivo, firma, y comprueba con CRL; es la biblioteca de Firefox y LibreOffice',
  GnuTLS: 'abre el archivo y comprueba cadena, CRL y OCSP',
  pkijs: 'comprueba cadena, CRL y OCSP; es la biblioteca de firmadores en el navegador',
  PHP: 'abre el archivo, firma y lee el número de serie como lo piden los comprobantes del SRI',
  xmlsec1: 'abre el archivo, firma XML y comprueba la firma',
  'ec-sri-invoice-signer': 'abre el archivo y firma comprobantes electrónicos del SRI',
  '@signpdf, pdfsig': 'abre el archivo y firma un PDF, que Poppler comprueba con OCSP',
} as const;
export type Program = keyof typeof spanish;

const english: Readonly<Record<Program, string>> = {
  OpenSSL: 'opens the file, signs, and checks the certificate by CRL and OCSP',
  'Java (JDK)': 'opens the file, signs, reads the identity fields, and checks by CRL and OCSP',
  'Bouncy Castle': 'opens the file, signs, reads the identity fields, and checks by CRL',
  NSS: 'imports the file, signs, and checks by CRL; it is the library of Firefox and LibreOffice',
  GnuTLS: 'opens the file and checks chain, CRL and OCSP',
  pkijs: 'checks chain, CRL and OCSP; it is the library of signers in a browser',
  PHP: 'opens the file, signs and reads the serial number as invoices of the SRI need it',
  xmlsec1: 'opens the file, signs XML and checks the signature',
  'ec-sri-invoice-signer': 'opens the file and signs invoices for the SRI',
  '@signpdf, pdfsig': 'opens the file and signs a PDF, which Poppler checks by OCSP',
};

interface ProgramTexts {
  readonly title: string;
  readonly lead: string;
  readonly tried: string;
  readonly results: Readonly<Record<Program, string>>;
  readonly passed: (passed: number, failed: number) => string;
  readonly limitsHeading: string;
  readonly limits: readonly string[];
  readonly engineersHeading: string;
  readonly engineers: readonly string[];
  readonly importHeading: string;
  readonly before: string;
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
      'pdfsig de Poppler (y los visores que lo usan) necesita internet para confiar en el certificado: sin respuesta de nuestro servicio OCSP lo da por desconocido, aunque la firma le parezca válida. Con respuesta lo dio por bueno en todas las pruebas. Si lo ve, revise su conexión o el proxy de su empresa.',
      'Algunos programas dicen que la contraseña es incorrecta aunque sea la correcta: no conocen el cifrado actual del archivo. Son Android hasta la versión 13, Windows 10 anterior a la versión 1709, las versiones antiguas de iOS y de Acceso a Llaveros de macOS, gpgsm 2.2.40 (Kleopatra), Mono, Heimdal y los programas en Go hechos con x/crypto/pkcs12. Actualice el programa o firme con otro de esta página. Si la empresa que pidió su certificado lo permite, al retirarlo verá «Descargar para programas antiguos»: es la misma clave, el mismo certificado y la misma contraseña, con un cifrado más débil. Elija una contraseña larga y borre ese archivo cuando lo haya importado.',
      'Java y muchos programas de firma no abren un archivo cuya contraseña tiene tildes o ñ. Por eso no las admitimos.',
      'FirmaEC conserva como revocado todo certificado que una vez leyó así. Si el suyo estuvo suspendido y volvió a ser válido, allí sigue revocado: pida otro.',
    ],
    engineersHeading: 'Para quien valida firmas en un servidor',
    engineers: [
      'OpenSSL: no cargue una CRL delta junto a su CRL base en un mismo almacén. Según su versión usa solo una de las dos y no avisa, en algunas (3.0.19) incluso con -use_deltas (X509_V_FLAG_USE_DELTAS): un certificado que está solo en la otra parece válido. Use la base sola y descárguela más a menudo.',
      'CRL_SHARDS mayor que 1: cada lista cubre solo los certificados que nombran su dirección y lo dice en una extensión crítica. NSS, GnuPG y Heimdal no la entienden y rechazan la lista o no encuentran la suya. Con esos programas use OCSP o pida al operador que deje CRL_SHARDS en 1.',
      'OCSP: las respuestas admiten SHA-1, SHA-256, SHA-384 y SHA-512 en el CertID y llevan archiveCutoff: también cuentan el estado de los certificados ya vencidos. Las CRL no los conservan.',
    ],
    importHeading: 'Cómo importar el archivo',
    before:
      'Guarde primero una copia en un lugar seguro. Estos programas no se probaron aquí, salvo la biblioteca de Firefox; los nombres de los menús cambian de una versión a otra.',
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
      'pdfsig of Poppler (and the viewers that use it) needs the internet to trust the certificate: without an answer from our OCSP service it calls the certificate unknown, although it finds the signature valid. With an answer it trusted the certificate in every test. If you see this, check your connection or your company’s proxy.',
      'Some programs say that the password is wrong although it is right: they do not know the file’s encryption, which is today’s. These are Android up to version 13, Windows 10 before version 1709, older versions of iOS and of Keychain Access on macOS, gpgsm 2.2.40 (Kleopatra), Mono, Heimdal, and programs in Go on x/crypto/pkcs12. Update the program or sign with another one of this page. If the company that requested your certificate allows it, you will see “Download for older programs” when you collect it: the same key, the same certificate and the same password, with weaker encryption. Choose a long password and delete that file once it is imported.',
      'Java and many signing programs open no file whose password has accents or ñ. That is why we do not take them.',
      'FirmaEC keeps every certificate that it once read as revoked. If yours was on hold and is valid again, it stays revoked there: ask for another.',
    ],
    engineersHeading: 'If you validate signatures on a server',
    engineers: [
      'OpenSSL: do not load a delta CRL beside its base CRL in one store. Depending on its release it uses one of the two alone and does not say so, with some (3.0.19) even with -use_deltas (X509_V_FLAG_USE_DELTAS): a certificate that is on the other alone looks valid. Use the base alone and fetch it more often.',
      'CRL_SHARDS above 1: each list covers only the certificates that name its address, and says so in a critical extension. NSS, GnuPG and Heimdal do not understand it, and refuse the list or do not find theirs. With those programs use OCSP, or ask the operator to leave CRL_SHARDS at 1.',
      'OCSP: answers take SHA-1, SHA-256, SHA-384 and SHA-512 in the CertID and carry archiveCutoff: they also tell the status of certificates that have expired. CRLs do not keep those.',
    ],
    importHeading: 'How to import the file',
    before:
      'First keep a copy in a safe place. These programs were not tried here, except for the library of Firefox; names of menus change from version to version.',
  },
};
