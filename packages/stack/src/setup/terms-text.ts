/** Sample terms of use, so that lookups return realistic text. An operator replaces them. */
export const termsText = `TÉRMINOS Y CONDICIONES DE USO DEL CERTIFICADO DE FIRMA ELECTRÓNICA (ENTORNO DE PRUEBAS)

1. Objeto. El certificado vincula unos datos de verificación de firma con la persona titular y confirma su identidad.
2. Identificación. La persona solicitante declara que los datos y documentos entregados son verdaderos y suyos, y autoriza su verificación ante los registros oficiales.
3. Custodia. La contraseña y la clave privada son personales. La persona titular las custodia y responde por su uso.
4. Revocación. La persona titular pide la revocación sin demora si pierde el control de su clave, o si cambian los datos del certificado.
5. Vigencia. El certificado es válido durante el período solicitado, salvo revocación anterior.
6. Datos personales. Los datos se tratan solo para verificar la identidad y emitir y mantener el certificado. Las evidencias se destruyen al terminar su plazo de conservación.
7. Entorno de pruebas. Los certificados emitidos por este entorno no tienen validez legal.
`;
