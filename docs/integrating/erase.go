// Erases a person, and writes what was stored of them to standard output.
//
//	HUB=https://hub.example KEY=... go run erase.go EMAIL > known.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

var client = http.Client{Timeout: time.Minute}

func call(method, path string, body []byte) ([]byte, error) {
	request, err := http.NewRequest(method, os.Getenv("HUB")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		return nil, fmt.Errorf("%s was answered with %s", path, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// erase returns what was stored, nothing if no contact has the email. With `block` the email cannot come back.
func erase(email string) ([]byte, error) {
	body, err := json.Marshal(map[string]any{"emails": []string{email}})
	if err != nil {
		return nil, err
	}
	text, err := call("POST", "/api/public/v1/contacts/lookup", body)
	if err != nil {
		return nil, err
	}
	var found struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(text, &found); err != nil || len(found.Data) == 0 {
		return nil, err
	}
	path := "/api/manage/v1/contacts/" + found.Data[0].ID
	known, err := call("GET", path+"/everything", nil)
	if err == nil {
		_, err = call("POST", path+"/erase", []byte(`{"block": true}`))
	}
	return known, err
}

func main() {
	known, err := erase(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(known)
	if known == nil {
		os.Exit(1)
	}
}
