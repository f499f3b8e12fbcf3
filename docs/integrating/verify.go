// Whether a webhook is from Contact Hub and unchanged.
//
//	WEBHOOK_SECRET=... go run verify.go SIGNATURE [PREVIOUS] < body
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// verify takes the raw body, and the values of Service-Signature and Service-Signature-Previous.
func verify(secret string, body []byte, signatures ...string) bool {
	if len(secret) < 16 {
		return false // Without a secret, anybody could sign.
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	for _, signature := range signatures {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil || !verify(os.Getenv("WEBHOOK_SECRET"), body, os.Args[1:]...) {
		os.Exit(1)
	}
}
