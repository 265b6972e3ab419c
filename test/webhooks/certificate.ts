/** A self-signed certificate whose private key was thrown away. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBhjCCAS2gAwIBAgIUL0tSaNHMRIBLp7VXj+6DuRdmG/8wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNd2ViaG9va3MudGVzdDAgFw0yNjExMjEwNzUzNTBaGA8yMTI2
MTAyODA3NTM1MFowGDEWMBQGA1UEAwwNd2ViaG9va3MudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABIwt3fd0wHlFwB+Uu+hjw4zuZr8Z9LhfQTTD2fdB1zI/
/kwmbnJi3DAVasjVUJmaSHRqnXK99s7STHQ2VLi2L9ejUzBRMB0GA1UdDgQWBBTO
8fMt2MvO+bBDEvTPDRsQDfY4RzAfBgNVHSMEGDAWgBTO8fMt2MvO+bBDEvTPDRsQ
DfY4RzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCH13PjxmusOza
62MDeg9wA6sOyn4RRVaDkr8xJcuJkCUCIQCCOs/e/eaEXPKQbli/22IvGalhyhVl
/u4RY4YQnBBFGg==
-----END CERTIFICATE-----
`;

/** What OpenSSL made with that key over the body of the public-key tests (ECDSA, SHA-256, DER, base64). */
export const certifiedSignature =
  'MEUCIQDANdznAKUkQ19p2V5gIaPctBo7DCgp1VkLoryYkkQo6QIgBw/qGzZ5ZuoWTvcvxFHRaLsp2R+k94tKxkLn4eggm98=';
