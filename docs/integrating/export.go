// Exports all contacts, each once, also when connections break off.
//
//	HUB=https://hub.example KEY=... go run export.go > contacts.ndjson
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

// later is the error of a part after which the export goes on, and how long to wait for that.
type later time.Duration

func (later) Error() string { return "the export broke off" }

// export calls a function with each line: a contact and its values. Filters, sorts and search can be added to the address.
func export(hub, key string, each func(line []byte) error) error {
	after := ""
	for {
		err := part(hub+"/api/public/v1/contacts/export?page[after]="+after, key, func(line []byte) error {
			var contact struct {
				Cursor string `json:"_cursor"`
			}
			if err := json.Unmarshal(line, &contact); err != nil {
				return err
			}
			after = contact.Cursor
			return each(line)
		})
		var wait later
		if !errors.As(err, &wait) {
			return err
		}
		time.Sleep(time.Duration(wait))
	}
}

// part reads the whole lines of one answer.
func part(url, key string, each func(line []byte) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	silence := time.AfterFunc(time.Minute, cancel)
	defer silence.Stop()
	request, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return later(time.Second)
	}
	defer answer.Body.Close()
	if answer.StatusCode == 429 || answer.StatusCode >= 500 {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return later(time.Duration(seconds+1) * time.Second)
	}
	if answer.StatusCode != 200 {
		return fmt.Errorf("the export was answered with %s", answer.Status)
	}
	for lines := bufio.NewReader(answer.Body); ; silence.Reset(time.Minute) {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return later(time.Second) // It broke off. The export goes on after the last whole line.
		}
		if err := each(line); err != nil {
			return err
		}
	}
}

func main() {
	write := func(line []byte) error {
		_, err := os.Stdout.Write(line)
		return err
	}
	if err := export(os.Getenv("HUB"), os.Getenv("KEY"), write); err != nil {
		log.Fatal(err)
	}
}
