// RFC 7643 §8.7.1, one line for each attribute:
//   name  type[]  required  caseExact  mutability  returned  uniqueness  = canonical values  > reference types
// `-` means false, or a characteristic that the type does not have; `[]` for a multi-valued attribute.

/** The schema of a User, with `addresses.primary`, which §2.4 and the example of §8.2 have. */
export const user: string = `
userName               string    required  -  readWrite  default  server
name                   complex   -         -  readWrite  default  none
name.formatted         string    -         -  readWrite  default  none
name.familyName        string    -         -  readWrite  default  none
name.givenName         string    -         -  readWrite  default  none
name.middleName        string    -         -  readWrite  default  none
name.honorificPrefix   string    -         -  readWrite  default  none
name.honorificSuffix   string    -         -  readWrite  default  none
displayName            string    -         -  readWrite  default  none
nickName               string    -         -  readWrite  default  none
profileUrl             reference -         -  readWrite  default  none  > external
title                  string    -         -  readWrite  default  none
userType               string    -         -  readWrite  default  none
preferredLanguage      string    -         -  readWrite  default  none
locale                 string    -         -  readWrite  default  none
timezone               string    -         -  readWrite  default  none
active                 boolean   -         -  readWrite  default  -
password               string    -         -  writeOnly  never    none
emails                 complex[] -         -  readWrite  default  none
emails.value           string    -         -  readWrite  default  none
emails.display         string    -         -  readWrite  default  none
emails.type            string    -         -  readWrite  default  none  = work home other
emails.primary         boolean   -         -  readWrite  default  -
phoneNumbers           complex[] -         -  readWrite  default  none
phoneNumbers.value     string    -         -  readWrite  default  none
phoneNumbers.display   string    -         -  readWrite  default  none
phoneNumbers.type      string    -         -  readWrite  default  none  = work home mobile fax pager other
phoneNumbers.primary   boolean   -         -  readWrite  default  -
ims                    complex[] -         -  readWrite  default  none
ims.value              string    -         -  readWrite  default  none
ims.display            string    -         -  readWrite  default  none
ims.type               string    -         -  readWrite  default  none  = aim gtalk icq xmpp msn skype qq yahoo
ims.primary            boolean   -         -  readWrite  default  -
photos                 complex[] -         -  readWrite  default  none
photos.value           reference -         -  readWrite  default  none  > external
photos.display         string    -         -  readWrite  default  none
photos.type            string    -         -  readWrite  default  none  = photo thumbnail
photos.primary         boolean   -         -  readWrite  default  -
addresses              complex[] -         -  readWrite  default  none
addresses.formatted    string    -         -  readWrite  default  none
addresses.streetAddress string   -         -  readWrite  default  none
addresses.locality     string    -         -  readWrite  default  none
addresses.region       string    -         -  readWrite  default  none
addresses.postalCode   string    -         -  readWrite  default  none
addresses.country      string    -         -  readWrite  default  none
addresses.type         string    -         -  readWrite  default  none  = work home other
addresses.primary      boolean   -         -  readWrite  default  -
groups                 complex[] -         -  readOnly   default  none
groups.value           string    -         -  readOnly   default  none
groups.$ref            reference -         -  readOnly   default  none  > User Group
groups.display         string    -         -  readOnly   default  none
groups.type            string    -         -  readOnly   default  none  = direct indirect
entitlements           complex[] -         -  readWrite  default  none
entitlements.value     string    -         -  readWrite  default  none
entitlements.display   string    -         -  readWrite  default  none
entitlements.type      string    -         -  readWrite  default  none
entitlements.primary   boolean   -         -  readWrite  default  -
roles                  complex[] -         -  readWrite  default  none
roles.value            string    -         -  readWrite  default  none
roles.display          string    -         -  readWrite  default  none
roles.type             string    -         -  readWrite  default  none
roles.primary          boolean   -         -  readWrite  default  -
x509Certificates       complex[] -         -  readWrite  default  none
x509Certificates.value binary    -         -  readWrite  default  none
x509Certificates.display string  -         -  readWrite  default  none
x509Certificates.type  string    -         -  readWrite  default  none
x509Certificates.primary boolean -         -  readWrite  default  -
`

/** The schema of a Group, with erratum 5368 (`displayName` is required) and the `display` of §2.4 and §8.4. */
export const group: string = `
displayName     string    required  -  readWrite  default  none
members         complex[] -         -  readWrite  default  none
members.value   string    -         -  immutable  default  none
members.$ref    reference -         -  immutable  default  none  > User Group
members.type    string    -         -  immutable  default  none  = User Group
members.display string    -         -  immutable  default  none
`

/** The schema of the Enterprise User extension, with erratum 8472: the id of a manager is case-exact. */
export const enterprise: string = `
employeeNumber      string    -  -          readWrite  default  none
costCenter          string    -  -          readWrite  default  none
organization        string    -  -          readWrite  default  none
division            string    -  -          readWrite  default  none
department          string    -  -          readWrite  default  none
manager             complex   -  -          readWrite  default  none
manager.value       string    -  caseExact  readWrite  default  none
manager.$ref        reference -  -          readWrite  default  none  > User
manager.displayName string    -  -          readOnly   default  none
`
