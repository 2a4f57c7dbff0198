/** What is wrong with a field. Each text follows the field's name: `city` + `is required`. */
export const fieldTexts = {
  'is not a field of this operation and is ignored': 'no es un campo de esta operación y se ignora',
  'is not a field of this operation and is ignored; did you mean {name}?':
    'no es un campo de esta operación y se ignora; ¿quiso decir {name}?',
  '"{given}" is in no list of cities; it is taken as it is':
    '"{given}" no está en ninguna lista de ciudades; se toma como está',
  'is required': 'es obligatorio',
  'is required and must hold at least one item': 'es obligatorio y debe tener al menos un elemento',
  'or referenceTransaction is required': 'o referenceTransaction es obligatorio',
  'is required for a legal representative': 'es obligatorio para un representante legal',
  'is required for this application': 'es obligatorio para esta solicitud',
  'is required for a TRADITIONAL_SIGNATURE': 'es obligatorio para una TRADITIONAL_SIGNATURE',
  'is required with companyRuc': 'es obligatorio con companyRuc',
  'is required, once; it must be client_credentials':
    'es obligatorio, una sola vez; debe ser client_credentials',
  'is not valid': 'no es válido',
  'is not of the right type': 'no es del tipo correcto',
  'must be text': 'debe ser un texto',
  'must be a number': 'debe ser un número',
  'must be a whole number': 'debe ser un número entero',
  'must be true or false': 'debe ser true o false',
  'must be a list': 'debe ser una lista',
  'must be an object': 'debe ser un objeto',
  'must be one of {values}': 'debe ser uno de {values}',
  'must be one of {values}; {given} is not': 'debe ser uno de {values}; {given} no lo es',
  'must be some of: {values}': 'debe contener solo valores de: {values}',
  'must be client_credentials': 'debe ser client_credentials',
  'must be {choices} for a {kind}': 'debe ser {choices} para una {kind}',
  'must be {choices} for a {kind}, not "{given}"': 'debe ser {choices} para una {kind}, no "{given}"',
  'must be a code that /gateway/reference/validation-error-codes lists':
    'debe ser un código de los que da /gateway/reference/validation-error-codes',
  'must be given once': 'debe darse una sola vez',
  'is not one that an earlier page gave': 'no es uno que haya dado una página anterior',
  'is not a parameter of this list; it takes {values}': 'no es un parámetro de esta lista; acepta {values}',
  'must be at most {count} days ago': 'debe estar como máximo {count} días en el pasado',
  'must be before {other}': 'debe ser anterior a {other}',
  'must not contain control characters': 'no debe contener caracteres de control',
  'must not contain NUL or half a surrogate pair': 'no debe contener NUL ni medio par sustituto (surrogate)',
  'must not be empty': 'no debe estar vacío',
  'contains {character}: a letter was lost before it reached us':
    'contiene {character}: una letra se perdió antes de llegar a nosotros',
  'must hold a letter or a digit': 'debe contener una letra o un dígito',
  'must hold a letter or a digit in the whole words of its first {count} characters: a certificate holds no more':
    'debe contener una letra o un dígito en las palabras completas de sus primeros {count} caracteres: en un certificado no caben más',
  'must be at most {count} characters': 'debe tener como máximo {count} caracteres',
  'must be at least {count} characters': 'debe tener al menos {count} caracteres',
  'must hold at least one item': 'debe tener al menos un elemento',
  'must hold at most {count} items': 'debe tener como máximo {count} elementos',
  'must hold printable ASCII only (U+0020 to U+007E, so no ñ and no accents): Java and most signing programs open no file under other characters':
    'debe contener solo ASCII imprimible (U+0020 a U+007E, es decir, sin ñ ni tildes): Java y la mayoría de los programas de firma no abren un archivo con otros caracteres',
  'must be a UUID': 'debe ser un UUID',
  'must be an e-mail address': 'debe ser una dirección de correo electrónico',
  'must have its internationalised domain in the ASCII form, which begins with xn--':
    'debe tener su dominio internacionalizado en la forma ASCII, que empieza con xn--',
  'must have at most {count} characters before the @ (RFC 5321 §4.5.3.1)':
    'debe tener como máximo {count} caracteres antes de la @ (RFC 5321 §4.5.3.1)',
  'must have at most {count} characters between two dots of its domain (RFC 5321 §4.5.3.1)':
    'debe tener como máximo {count} caracteres entre dos puntos de su dominio (RFC 5321 §4.5.3.1)',
  'must be an http or https address': 'debe ser una dirección http o https',
  'must be a public https address without user or password':
    'debe ser una dirección https pública, sin usuario ni contraseña',
  'must not have a dot at the end of its host': 'no debe tener un punto al final del host',
  'must have a port other than 0': 'debe tener un puerto distinto de 0',
  'must use port 443, or one from 1024 on that no database, broker or other service uses; {given} is not allowed':
    'debe usar el puerto 443, o uno desde 1024 que no use una base de datos, un bróker u otro servicio; {given} no se permite',
  'must be a date as yyyy-MM-dd, yyyy-MM-dd HH:mm:ss or yyyy-MM-ddTHH:mm:ss, with up to 9 digits of fraction, and with Z, -05, -0500 or -05:00 or without':
    'debe ser una fecha como yyyy-MM-dd, yyyy-MM-dd HH:mm:ss o yyyy-MM-ddTHH:mm:ss, con hasta 9 decimales, y con o sin Z, -05, -0500 o -05:00',
  'must not end with the name of a zone, such as [America/Guayaquil]: send the offset alone, as 2030-12-31T00:00:00-05:00':
    'no debe terminar con el nombre de una zona, como [America/Guayaquil]: envíe solo el desfase, como 2030-12-31T00:00:00-05:00',
  'must not lie ahead': 'no debe estar en el futuro',
  'must be a month, such as 2026-11': 'debe ser un mes, por ejemplo 2026-11',
  'must be a serial number: 2 to 40 digits, hexadecimal without colons or 0x':
    'debe ser un número de serie: de 2 a 40 dígitos, en hexadecimal sin dos puntos ni 0x',
  'must be a three-letter country code of ISO 3166-1, for example ECU':
    'debe ser un código de país de tres letras de ISO 3166-1, por ejemplo ECU',
  'must be the code or the name of a province, as /gateway/reference/provinces lists them':
    'debe ser el código o el nombre de una provincia, como los da /gateway/reference/provinces',
  'must be in international format, for example +593991234567':
    'debe estar en formato internacional, por ejemplo +593991234567',
  'must have 10 letters and digits, at least one letter and six digits, for example V4333V2222':
    'debe tener 10 letras y dígitos, al menos una letra y seis dígitos, por ejemplo V4333V2222',
  '"{given}" is not a valid cédula of 10 digits': '"{given}" no es una cédula válida de 10 dígitos',
  '"{given}" is not a valid RUC: it must have 13 digits':
    '"{given}" no es un RUC válido: debe tener 13 dígitos',
  '"{given}" is not a valid RUC: its first two digits must be a province, 01 to 24 or 30':
    '"{given}" no es un RUC válido: sus dos primeros dígitos deben ser una provincia, 01 a 24 o 30',
  '"{given}" is not a valid RUC: its third digit must be 0 to 6 or 9':
    '"{given}" no es un RUC válido: su tercer dígito debe ser de 0 a 6 o 9',
  '"{given}" is not a valid RUC: its first ten digits are no cédula, the check digit does not match':
    '"{given}" no es un RUC válido: sus diez primeros dígitos no son una cédula, el dígito verificador no coincide',
  '"{given}" is not a valid RUC: its establishment, the last three digits (four of a public body), must not be zero':
    '"{given}" no es un RUC válido: su establecimiento, los tres últimos dígitos (cuatro en una entidad pública), no debe ser cero',
  '"{given}" is not a date of the calendar': '"{given}" no es una fecha del calendario',
  '"{given}" must be in the future': '"{given}" debe estar en el futuro',
  '"{given}" is not a province of Ecuador, as /gateway/reference/provinces lists them':
    '"{given}" no es una provincia del Ecuador, como las da /gateway/reference/provinces',
  '"{given}" is not a canton of Ecuador, as /gateway/reference/cities lists them':
    '"{given}" no es un cantón del Ecuador, como los da /gateway/reference/cities',
  '"{given}" is not a canton of the province "{province}", as /gateway/reference/cities lists them':
    '"{given}" no es un cantón de la provincia "{province}", como los da /gateway/reference/cities',
  'cannot be corrected': 'no se puede corregir',
  'cannot be corrected after this error': 'no se puede corregir después de este error',
  'cannot be corrected after this error; send {fields}':
    'no se puede corregir después de este error; envíe {fields}',
  'is not taken any more: the applicant chose one at the claim, and only they know it':
    'ya no se acepta: el solicitante eligió una al retirar su certificado, y solo él la conoce',
  'must be modern or legacy': 'debe ser modern o legacy',
  'must be six digits': 'debe tener seis dígitos',
  'must be the same as password': 'debe ser igual a password',
  "is too easy to guess: it holds the applicant's own data":
    'es demasiado fácil de adivinar: contiene datos del propio solicitante',
  'is too easy to guess: it is among the most used passwords':
    'es demasiado fácil de adivinar: está entre las contraseñas más usadas',
  'is too easy to guess: it is a name': 'es demasiado fácil de adivinar: es un nombre',
  'is too easy to guess: it is little more than a known word':
    'es demasiado fácil de adivinar: es poco más que una palabra conocida',
  'is too easy to guess: it is a date or a year': 'es demasiado fácil de adivinar: es una fecha o un año',
  'is too easy to guess: its keys lie side by side':
    'es demasiado fácil de adivinar: sus teclas están una junto a otra',
  'is too easy to guess: it repeats itself': 'es demasiado fácil de adivinar: se repite',
  'is too easy to guess: it is a series': 'es demasiado fácil de adivinar: es una serie',
  'is too easy to guess: it is too short': 'es demasiado fácil de adivinar: es demasiado corta',
} as const;
