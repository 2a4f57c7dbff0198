import { defineTexts } from './define-texts.ts';

/** Faults of a field. Each text continues a sentence that begins with the name of the field. */
export const fieldTexts = defineTexts({
  /** Complete sentence: the name of the field, and a text that continues it. */
  'field.fault': { en: '{field} {fault:text}', es: '{field} {fault:text}' },
  'field.ignored': {
    en: 'is not a field of this operation and is ignored',
    es: 'no es un campo de esta operación y se ignora',
  },
  'field.ignoredSimilar': {
    en: 'is not a field of this operation and is ignored; did you mean {name}?',
    es: 'no es un campo de esta operación y se ignora; ¿quiso decir {name}?',
  },
  'field.cityUnlisted': {
    en: '"{given}" is in no list of cities; it is taken as it is',
    es: '"{given}" no está en ninguna lista de ciudades; se toma como está',
  },
  'field.required': {
    en: 'is required',
    es: 'es obligatorio',
  },
  'field.itemsRequired': {
    en: 'is required and must hold at least one item',
    es: 'es obligatorio y debe tener al menos un elemento',
  },
  'field.orReferenceRequired': {
    en: 'or referenceTransaction is required',
    es: 'o referenceTransaction es obligatorio',
  },
  'field.requiredForRepresentative': {
    en: 'is required for a legal representative',
    es: 'es obligatorio para un representante legal',
  },
  'field.requiredForApplication': {
    en: 'is required for this application',
    es: 'es obligatorio para esta solicitud',
  },
  'field.requiredForTraditional': {
    en: 'is required for a TRADITIONAL_SIGNATURE',
    es: 'es obligatorio para una TRADITIONAL_SIGNATURE',
  },
  'field.requiredWithCompanyRuc': {
    en: 'is required with companyRuc',
    es: 'es obligatorio con companyRuc',
  },
  'field.grantTypeRequired': {
    en: 'is required, once; it must be client_credentials',
    es: 'es obligatorio, una sola vez; debe ser client_credentials',
  },
  'field.invalid': {
    en: 'is not valid',
    es: 'no es válido',
  },
  'field.wrongType': {
    en: 'is not of the right type',
    es: 'no es del tipo correcto',
  },
  'field.text': {
    en: 'must be text',
    es: 'debe ser un texto',
  },
  'field.number': {
    en: 'must be a number',
    es: 'debe ser un número',
  },
  'field.wholeNumber': {
    en: 'must be a whole number',
    es: 'debe ser un número entero',
  },
  'field.boolean': {
    en: 'must be true or false',
    es: 'debe ser true o false',
  },
  'field.list': {
    en: 'must be a list',
    es: 'debe ser una lista',
  },
  'field.object': {
    en: 'must be an object',
    es: 'debe ser un objeto',
  },
  'field.oneOf': {
    en: 'must be one of {values}',
    es: 'debe ser uno de {values}',
  },
  'field.oneOfNot': {
    en: 'must be one of {values}; {given} is not',
    es: 'debe ser uno de {values}; {given} no lo es',
  },
  'field.someOf': {
    en: 'must be some of: {values}',
    es: 'debe contener solo valores de: {values}',
  },
  'field.clientCredentials': {
    en: 'must be client_credentials',
    es: 'debe ser client_credentials',
  },
  'field.choiceForKind': {
    en: 'must be {choices:or} for a {kind}',
    es: 'debe ser {choices:or} para una {kind}',
  },
  'field.choiceForKindNot': {
    en: 'must be {choices:or} for a {kind}, not "{given}"',
    es: 'debe ser {choices:or} para una {kind}, no "{given}"',
  },
  'field.errorCode': {
    en: 'must be a code that /gateway/reference/validation-error-codes lists',
    es: 'debe ser un código de los que da /gateway/reference/validation-error-codes',
  },
  'field.repeated': {
    en: 'must be given once',
    es: 'debe darse una sola vez',
  },
  'field.cursorUnknown': {
    en: 'is not one that an earlier page gave',
    es: 'no es uno que haya dado una página anterior',
  },
  'field.parameterUnknown': {
    en: 'is not a parameter of this list; it takes {values}',
    es: 'no es un parámetro de esta lista; acepta {values}',
  },
  'field.tooLongAgo': {
    en: 'must be at most {count} days ago',
    es: 'debe estar como máximo {count} días en el pasado',
  },
  'field.before': {
    en: 'must be before {other}',
    es: 'debe ser anterior a {other}',
  },
  'field.controlCharacters': {
    en: 'must not contain control characters',
    es: 'no debe contener caracteres de control',
  },
  'field.unstorable': {
    en: 'must not contain NUL or half a surrogate pair',
    es: 'no debe contener NUL ni medio par sustituto (surrogate)',
  },
  'field.empty': {
    en: 'must not be empty',
    es: 'no debe estar vacío',
  },
  'field.letterLost': {
    en: 'contains {character}: a letter was lost before it reached us',
    es: 'contiene {character}: una letra se perdió antes de llegar a nosotros',
  },
  'field.uncertifiable': {
    en: 'must hold a letter or a digit',
    es: 'debe contener una letra o un dígito',
  },
  'field.uncertifiableStart': {
    en: 'must hold a letter or a digit in the whole words of its first {count} characters: a certificate holds no more',
    es: 'debe contener una letra o un dígito en las palabras completas de sus primeros {count} caracteres: en un certificado no caben más',
  },
  'field.maxCharacters': {
    en: 'must be at most {count} characters',
    es: 'debe tener como máximo {count} caracteres',
  },
  'field.minCharacters': {
    en: 'must be at least {count} characters',
    es: 'debe tener al menos {count} caracteres',
  },
  'field.oneItem': {
    en: 'must hold at least one item',
    es: 'debe tener al menos un elemento',
  },
  'field.maxItems': {
    en: 'must hold at most {count} items',
    es: 'debe tener como máximo {count} elementos',
  },
  'field.printableAscii': {
    en: 'must hold printable ASCII only (U+0020 to U+007E, so no ñ and no accents): Java and most signing programs open no file under other characters',
    es: 'debe contener solo ASCII imprimible (U+0020 a U+007E, es decir, sin ñ ni tildes): Java y la mayoría de los programas de firma no abren un archivo con otros caracteres',
  },
  'field.uuid': {
    en: 'must be a UUID',
    es: 'debe ser un UUID',
  },
  'field.email': {
    en: 'must be an e-mail address',
    es: 'debe ser una dirección de correo electrónico',
  },
  'field.emailDomain': {
    en: 'must have its internationalised domain in the ASCII form, which begins with xn--',
    es: 'debe tener su dominio internacionalizado en la forma ASCII, que empieza con xn--',
  },
  'field.emailLocalPart': {
    en: 'must have at most {count} characters before the @ (RFC 5321 §4.5.3.1)',
    es: 'debe tener como máximo {count} caracteres antes de la @ (RFC 5321 §4.5.3.1)',
  },
  'field.emailLabel': {
    en: 'must have at most {count} characters between two dots of its domain (RFC 5321 §4.5.3.1)',
    es: 'debe tener como máximo {count} caracteres entre dos puntos de su dominio (RFC 5321 §4.5.3.1)',
  },
  'field.url': {
    en: 'must be an http or https address',
    es: 'debe ser una dirección http o https',
  },
  'field.publicUrl': {
    en: 'must be a public https address without user or password',
    es: 'debe ser una dirección https pública, sin usuario ni contraseña',
  },
  'field.hostTrailingDot': {
    en: 'must not have a dot at the end of its host',
    es: 'no debe tener un punto al final del host',
  },
  'field.portZero': {
    en: 'must have a port other than 0',
    es: 'debe tener un puerto distinto de 0',
  },
  'field.portNotAllowed': {
    en: 'must use port 443, or one from 1024 on that no database, broker or other service uses; {given} is not allowed',
    es: 'debe usar el puerto 443, o uno desde 1024 que no use una base de datos, un bróker u otro servicio; {given} no se permite',
  },
  'field.dateTime': {
    en: 'must be a date as yyyy-MM-dd, yyyy-MM-dd HH:mm:ss or yyyy-MM-ddTHH:mm:ss, with up to 9 digits of fraction, and with Z, -05, -0500 or -05:00 or without',
    es: 'debe ser una fecha como yyyy-MM-dd, yyyy-MM-dd HH:mm:ss o yyyy-MM-ddTHH:mm:ss, con hasta 9 decimales, y con o sin Z, -05, -0500 o -05:00',
  },
  'field.zoneName': {
    en: 'must not end with the name of a zone, such as [America/Guayaquil]: send the offset alone, as 2030-12-31T00:00:00-05:00',
    es: 'no debe terminar con el nombre de una zona, como [America/Guayaquil]: envíe solo el desfase, como 2030-12-31T00:00:00-05:00',
  },
  'field.futureMonth': {
    en: 'must not lie ahead',
    es: 'no debe estar en el futuro',
  },
  'field.month': {
    en: 'must be a month, such as 2026-11',
    es: 'debe ser un mes, por ejemplo 2026-11',
  },
  'field.serialNumber': {
    en: 'must be a serial number: 2 to 40 digits, hexadecimal without colons or 0x',
    es: 'debe ser un número de serie: de 2 a 40 dígitos, en hexadecimal sin dos puntos ni 0x',
  },
  'field.country': {
    en: 'must be a three-letter country code of ISO 3166-1, for example ECU',
    es: 'debe ser un código de país de tres letras de ISO 3166-1, por ejemplo ECU',
  },
  'field.province': {
    en: 'must be the code or the name of a province, as /gateway/reference/provinces lists them',
    es: 'debe ser el código o el nombre de una provincia, como los da /gateway/reference/provinces',
  },
  'field.cellphone': {
    en: 'must be in international format, for example +593991234567',
    es: 'debe estar en formato internacional, por ejemplo +593991234567',
  },
  'field.fingerCode': {
    en: 'must have 10 letters and digits, at least one letter and six digits, for example V4333V2222',
    es: 'debe tener 10 letras y dígitos, al menos una letra y seis dígitos, por ejemplo V4333V2222',
  },
  'field.cedula': {
    en: '"{given}" is not a valid cédula of 10 digits',
    es: '"{given}" no es una cédula válida de 10 dígitos',
  },
  'field.rucFormat': {
    en: '"{given}" is not a valid RUC: it must have 13 digits',
    es: '"{given}" no es un RUC válido: debe tener 13 dígitos',
  },
  'field.rucProvince': {
    en: '"{given}" is not a valid RUC: its first two digits must be a province, 01 to 24 or 30',
    es: '"{given}" no es un RUC válido: sus dos primeros dígitos deben ser una provincia, 01 a 24 o 30',
  },
  'field.rucThirdDigit': {
    en: '"{given}" is not a valid RUC: its third digit must be 0 to 6 or 9',
    es: '"{given}" no es un RUC válido: su tercer dígito debe ser de 0 a 6 o 9',
  },
  'field.rucCheckDigit': {
    en: '"{given}" is not a valid RUC: its first ten digits are no cédula, the check digit does not match',
    es: '"{given}" no es un RUC válido: sus diez primeros dígitos no son una cédula, el dígito verificador no coincide',
  },
  'field.rucEstablishment': {
    en: '"{given}" is not a valid RUC: its establishment, the last three digits (four of a public body), must not be zero',
    es: '"{given}" no es un RUC válido: su establecimiento, los tres últimos dígitos (cuatro en una entidad pública), no debe ser cero',
  },
  'field.calendarDate': {
    en: '"{given}" is not a date of the calendar',
    es: '"{given}" no es una fecha del calendario',
  },
  'field.notFuture': {
    en: '"{given}" must be in the future',
    es: '"{given}" debe estar en el futuro',
  },
  'field.provinceUnknown': {
    en: '"{given}" is not a province of Ecuador, as /gateway/reference/provinces lists them',
    es: '"{given}" no es una provincia del Ecuador, como las da /gateway/reference/provinces',
  },
  'field.cantonUnknown': {
    en: '"{given}" is not a canton of Ecuador, as /gateway/reference/cities lists them',
    es: '"{given}" no es un cantón del Ecuador, como los da /gateway/reference/cities',
  },
  'field.cantonOfProvince': {
    en: '"{given}" is not a canton of the province "{province}", as /gateway/reference/cities lists them',
    es: '"{given}" no es un cantón de la provincia "{province}", como los da /gateway/reference/cities',
  },
  'field.notCorrectable': {
    en: 'cannot be corrected',
    es: 'no se puede corregir',
  },
  'field.notCorrectableNow': {
    en: 'cannot be corrected after this error',
    es: 'no se puede corregir después de este error',
  },
  'field.notCorrectableSend': {
    en: 'cannot be corrected after this error; send {fields}',
    es: 'no se puede corregir después de este error; envíe {fields}',
  },
  'field.passwordChosen': {
    en: 'is not taken any more: the applicant chose one at the claim, and only they know it',
    es: 'ya no se acepta: el solicitante eligió una al retirar su certificado, y solo él la conoce',
  },
  'field.encoding': {
    en: 'must be modern or legacy',
    es: 'debe ser modern o legacy',
  },
  'field.sixDigits': {
    en: 'must be six digits',
    es: 'debe tener seis dígitos',
  },
  'field.confirmation': {
    en: 'must be the same as password',
    es: 'debe ser igual a password',
  },
  'field.guessableOwnData': {
    en: "is too easy to guess: it holds the applicant's own data",
    es: 'es demasiado fácil de adivinar: contiene datos del propio solicitante',
  },
  'field.guessableCommon': {
    en: 'is too easy to guess: it is among the most used passwords',
    es: 'es demasiado fácil de adivinar: está entre las contraseñas más usadas',
  },
  'field.guessableName': {
    en: 'is too easy to guess: it is a name',
    es: 'es demasiado fácil de adivinar: es un nombre',
  },
  'field.guessableWord': {
    en: 'is too easy to guess: it is little more than a known word',
    es: 'es demasiado fácil de adivinar: es poco más que una palabra conocida',
  },
  'field.guessableDate': {
    en: 'is too easy to guess: it is a date or a year',
    es: 'es demasiado fácil de adivinar: es una fecha o un año',
  },
  'field.guessableKeys': {
    en: 'is too easy to guess: its keys lie side by side',
    es: 'es demasiado fácil de adivinar: sus teclas están una junto a otra',
  },
  'field.guessableRepeats': {
    en: 'is too easy to guess: it repeats itself',
    es: 'es demasiado fácil de adivinar: se repite',
  },
  'field.guessableSeries': {
    en: 'is too easy to guess: it is a series',
    es: 'es demasiado fácil de adivinar: es una serie',
  },
  'field.guessableShort': {
    en: 'is too easy to guess: it is too short',
    es: 'es demasiado fácil de adivinar: es demasiado corta',
  },
  'field.unknown': { en: 'is not a known field here', es: 'no es un campo conocido aquí' },
  'field.instant': {
    en: 'must be a date and time in UTC, such as 2030-12-31T05:00:00Z',
    es: 'debe ser una fecha y hora en UTC, por ejemplo 2030-12-31T05:00:00Z',
  },
  'field.minItems': {
    en: 'must hold at least {count} items',
    es: 'debe tener al menos {count} elementos',
  },
  'field.minimum': { en: 'must be at least {count}', es: 'debe ser al menos {count}' },
  'field.maximum': { en: 'must be at most {count}', es: 'debe ser como máximo {count}' },
  'field.notBefore': { en: 'must not lie before {other}', es: 'no debe ser anterior a {other}' },
  'field.yearZero': { en: 'must not lie in the year 0', es: 'no debe estar en el año 0' },
  'field.blank': { en: 'must not be blank', es: 'no debe estar en blanco' },
  'field.lineBreaksOnly': {
    en: 'must not contain control characters other than line breaks',
    es: 'no debe contener caracteres de control que no sean saltos de línea',
  },
  'field.noLetters': { en: 'has no letters to search for', es: 'no tiene letras que buscar' },
  'field.passwordLength': {
    en: 'must be 12 to 200 characters',
    es: 'debe tener de 12 a 200 caracteres',
  },
  'field.expiry': {
    en: 'must be in the future, at most two years ahead',
    es: 'debe estar en el futuro, como máximo a dos años',
  },
  'field.privateKey': {
    en: 'is a private key: it must never leave its owner. Have a new pair made',
    es: 'es una clave privada: nunca debe salir de su dueño. Haga generar un par nuevo',
  },
  'field.publicKey': {
    en: 'must be a public key as a JWK, or PEM (BEGIN PUBLIC KEY)',
    es: 'debe ser una clave pública como JWK o PEM (BEGIN PUBLIC KEY)',
  },
  'field.keyKind': {
    en: 'must be RSA of 2048 to 4096 bits with the exponent 65537, P-256 or Ed25519',
    es: 'debe ser RSA de 2048 a 4096 bits con el exponente 65537, P-256 o Ed25519',
  },
  'field.foreignCheckpoint': {
    en: 'is not a checkpoint of the audit log of this service',
    es: 'no es un punto de control del registro de auditoría de este servicio',
  },
  'field.guessableYourData': {
    en: 'is too easy to guess: it holds your own data',
    es: 'es demasiado fácil de adivinar: contiene sus propios datos',
  },
});
