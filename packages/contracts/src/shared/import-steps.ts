/** Steps to import a PKCS#12 file, by program. The claim page and the documentation show them. */
export const importSteps: Readonly<
  Record<'en' | 'es', readonly (readonly [program: string, steps: string])[]>
> = {
  en: [
    [
      'Windows',
      'Open the file with a double click: the Certificate Import Wizard starts. Choose “Current User”, enter the password and let Windows pick the store.',
    ],
    [
      'macOS',
      'Open the file with a double click. Keychain Access asks for the password and keeps it in the keychain that was chosen last, which usually is “login”.',
    ],
    ['Firefox', 'Settings, Privacy & Security, Certificates, View Certificates, Your Certificates, Import.'],
    [
      'Adobe Acrobat',
      'Menu, Preferences, Signatures; under Identities & Trusted Certificates, More; under Digital IDs, Add ID. Choose the file and enter the password.',
    ],
    ['FirmaEC', 'Nothing is imported: when you sign, name the .p12 file and enter the password.'],
  ],
  es: [
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
};
