/** Public RSA keys whose private keys were thrown away, and what one of them signed before. */
export const signedBody = '{"eventType":"TRANSFER.APPROVAL.PENDING","data":{"transferId":"tr_1"}}';

export const rsa2048 = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvFEdjYu/NUCkGD+z+EhY
hPv3QtHceOOWkq9FQ93+NDIkGSqgx9KDdc4k7RXHWJa3W/2IxRAFYC1PvB4a8jfp
r8+2ejgLsjk29yTqy1GIKXSiV9JE5tjytNXjNHqwsBPxsqQ4W13sqzNnIFLEGe9C
1743aI/fNmDi382m7QJ9E0mEw1TrDfEuqjDP9dUKVxdA+si8ggvXXQRSnozczcAP
pPVczVLezIwrESSMkfrsj5fgCGnnRIF+//5o1rba6/jSi8+3PTf/RDlH8DYJ9xmj
5//S6I/M39+0r6NuyonHcuJuChdv0NnHhjKAtzoWVt0V1lyZWa72IIySsiTrcWx+
hQIDAQAB
-----END PUBLIC KEY-----`;

/** RSA-SHA256 over the body. */
export const rsaSignature =
  'hlu4gxIMZYnXpMMbilfehlb62uCr9BepSpRT68EcwLqM5IulBixfSPz2r8GbxaQs4pN7mbJzmByts1Ey8YakQy2vE6sORdL4' +
  'QrQ04C1OGAEIq7/6z86Md3zbATh42ejxWVzvdvFC4FzVb1U26/DH87ZWPqeGK4CRSofoYXcyqVbD/0SPhHyoFA7NV5reDhx9' +
  '+PxsyKUjjrX93eZ1r+SYH3AbQgmI7En8wSE02HJhxLAxQVJb6RjOfDnHHPA1zfSsSpdw1IWg3ThjdsPpN+09spTt1jiXah0Y' +
  'P84q3OOUtHFQbwQXGkGCX4fRof+o/Gzx1l9tEo7XInreGFMZW6p8Hg==';

/** RSA-SHA256 over `1614265330.` and the body. */
export const timedSignature =
  'cMERoJzYMEDG5vjcOZ7U/cScF4SRiyupA8QFSA5rfQn4WjAlD5ovUev/YBFfgS4rjn63mkgIM1PyS7ieHzBRCzkh964KlIWs' +
  'YqnEVfz0smRQm865iziIIZCJHsHat/q6GgkNlSZ3H1OCNEwVOuAbMMn4qV0UXqayhe71l11ucOxrqZRIRdYi6ptETfdvAK/S' +
  '0ZgH8IWqV/DblRu0SbQ9JU5DP3gODZAEOnC3qhnJP3LTc8ao0t9vORrxV3phHJJ3lkMKhqQ2uwH7zUtTH5Xc/Jb9mlSedRV4' +
  'eAhwQxr5aMZxtyS2hbCAqGOp1nsPNbAXW6sAjUFfaTnieVlqM/KNDw==';

/** RSA-PSS-SHA256 over the body. */
export const pssSignature =
  'JY1BI8Zy8+a5kTdv1hLKRlUSKJmEvdXwIo+p385q6VNRYhQ+ue1XTNrHg5v8mjMjhh5BwQGCTpG82DzLlOQMHGlAcv920u50' +
  'nbgyXh7TBEpClKA9k+w5P/UmevKzYH42T7GYl40Bm2ka/87nQoknK+TdSvn3Rm7RAUs//tJ0cHDhtKPWTXEs4nfKKSF89fCu' +
  'itHpbL5cryO+gFTOakvXxkSdaEkibep/JbcI0vCnGsa9TapW6NQFXKzkK66P33+nLlcQCTLWFRZvHGrG27Bkq4aDxCOcAOSR' +
  'Mo2aUXmE1iq1RUixxWlVL2oaItTX02XuFY5gPC7QhVogdPVU4O6voQ==';

export const rsa1024 = `-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDZST/TMwFJCuHzJCl4xE23AbRZ
uGlazSEGPN7FeAONdoobz63tp2PVdG4HFTrmeZjiSs915GUy1iGceMKw6y40IDJs
yne15NTvxZ2/Ozc47wPeQSy2spiMo8ZwsyfBMZFVK7ahmcafmG6P/SCpzuJkNFk/
ZvMOXurZgSx6kd6m/wIDAQAB
-----END PUBLIC KEY-----`;

export const rsa2047 = `-----BEGIN PUBLIC KEY-----
MIIBITANBgkqhkiG9w0BAQEFAAOCAQ4AMIIBCQKCAQBRUJHLZSkA/YVn7cOhaYvs
MtEp9n0Vr8YZfvk9s9ZLIC2IlYmeN7h6g/hDr6YNw4ALMfUGLk+e5oQcBu6a87ax
eYqzYCMfcXScJ1pFBaGLHeb6sV3Ap5teCxu84aQ0n8meV5qtdmOI3WDdGml5rPWk
+uaIV7KIgpIbru+fkeUR6yeUjnQcTvCDQHPRD3Lj+Ibsrghr3jRwARb961VLZsCs
Sa+OzEUwiIhFlKmtjIueTUzRagbD/J4aqKJAipyE04ok5JOmZ8fNSKzmlF+9DX3n
v0OI9wWYPZSqrazAIDM+JYKI7BnkqoFs9PQuCikuMJb8jEfO14DhxTq5Sjob9fLZ
AgMBAAE=
-----END PUBLIC KEY-----`;

/** The first key as PKCS#1, a form that is refused. */
export const pkcs1 = `-----BEGIN RSA PUBLIC KEY-----
MIIBCgKCAQEAvFEdjYu/NUCkGD+z+EhYhPv3QtHceOOWkq9FQ93+NDIkGSqgx9KD
dc4k7RXHWJa3W/2IxRAFYC1PvB4a8jfpr8+2ejgLsjk29yTqy1GIKXSiV9JE5tjy
tNXjNHqwsBPxsqQ4W13sqzNnIFLEGe9C1743aI/fNmDi382m7QJ9E0mEw1TrDfEu
qjDP9dUKVxdA+si8ggvXXQRSnozczcAPpPVczVLezIwrESSMkfrsj5fgCGnnRIF+
//5o1rba6/jSi8+3PTf/RDlH8DYJ9xmj5//S6I/M39+0r6NuyonHcuJuChdv0NnH
hjKAtzoWVt0V1lyZWa72IIySsiTrcWx+hQIDAQAB
-----END RSA PUBLIC KEY-----`;
